import { readersLocale } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'
import type { PeckDetails } from '../_peck/reads'

export type AskerHistory = NonNullable<PeckDetails['asker_history']>

type Counts = Pick<AskerHistory, 'asked' | 'waiting' | 'approved' | 'approved_by_rule'>

/**
 * Returns how often the asker asked for this action before, and how often the viewer or a rule approved it. What still waits is unanswered, so it
 * accuses nobody.
 */
export function historyWords({ asked, waiting, approved, approved_by_rule: ruled }: Counts): string {
  const before = Math.max(asked - waiting, approved + ruled)
  if (before === 0)
    return waiting <= 1
      ? m.decision_asks_you_for_this_for_first()
      : m.decision_asked_you_all_wait({ waiting, shown: shown(waiting) })
  const count = { before, shown: shown(before) }
  if (approved + ruled === 0) return m.decision_asked_you_for_this_times_you(count)
  if (ruled === 0) return m.decision_asked_times_you_approved({ ...count, approved: shown(approved) })
  return approved === 0
    ? m.decision_asked_times_rule_approved({ ...count, ruled: shown(ruled) })
    : m.decision_asked_times_you_and_rule_approved({
        ...count,
        approved: shown(approved),
        ruled: shown(ruled),
      })
}

const shown = (count: number) => count.toLocaleString(readersLocale())
