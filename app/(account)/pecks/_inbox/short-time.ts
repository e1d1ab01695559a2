import { m } from '@/lib/kernel/messages'

const units = [
  { seconds: 86_400, name: 'd', words: m.inbox_days },
  { seconds: 3600, name: 'h', words: m.inbox_hours },
  { seconds: 60, name: 'min', words: m.inbox_minutes },
]

function partsOf(milliseconds: number) {
  const seconds = Math.max(0, milliseconds / 1000)
  const unit = units.find((candidate) => seconds >= candidate.seconds)
  return unit === undefined ? null : { unit, count: Math.floor(seconds / unit.seconds) }
}

/** Returns a length of time for a narrow column: "3 h", "5 min", "2 d", "<1 min". */
export function shortTime(milliseconds: number): string {
  const parts = partsOf(milliseconds)
  return parts === null ? '<1 min' : `${parts.count} ${parts.unit.name}`
}

/** Returns the same length in words: "3 hours", "less than a minute". */
export function timeInWords(milliseconds: number): string {
  const parts = partsOf(milliseconds)
  if (parts === null) return m.inbox_less_than_a_minute()
  return parts.unit.words({ count: parts.count })
}
