/** A length of time in the language of the page. What is signed has `duration`, which is always English. */
import { m } from '@/lib/kernel/messages'

const units = [
  { seconds: 86_400, from: 2, words: m.common_count_days },
  { seconds: 3600, from: 1, words: m.common_count_hours },
  { seconds: 60, from: 1, words: m.common_count_minutes },
]

/** Returns a length of time in the largest unit that divides it: "24 hours", "30 days", "90 seconds". */
export function durationWords(seconds: number): string {
  const unit = units.find(
    (one) => Number.isInteger(seconds / one.seconds) && seconds / one.seconds >= one.from,
  )
  return unit === undefined
    ? m.common_seconds({ count: seconds })
    : unit.words({ count: seconds / unit.seconds })
}
