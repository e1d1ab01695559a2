import { readersLocale } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'
import type { PeckDetails } from '../_peck/reads'

export type AskerHistory = NonNullable<PeckDetails['asker_history']>

/** Returns how often the asker asked for this action, and how often the viewer approved it, with this request counted. */
export function historyWords({ asked, approved }: Pick<AskerHistory, 'asked' | 'approved'>): string {
  if (asked <= 1 && approved === 0) return m.decision_asks_you_for_this_for_first()
  const count = { asked, shown: asked.toLocaleString(readersLocale()) }
  if (approved === 0) return m.decision_asked_you_for_this_times_you(count)
  return m.decision_asked_times_you_approved_approved({
    ...count,
    approved: approved.toLocaleString(readersLocale()),
  })
}
