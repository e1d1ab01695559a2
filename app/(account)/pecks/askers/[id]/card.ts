import type { ResponseOf } from '@/app/beak/_api/lines'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'

export type AskerCard = ResponseOf<'GET /beak/peck/asker'>

const times = (count: number) => count.toLocaleString(readersLocale())

type Decided = Pick<AskerCard, 'approved' | 'rejected' | 'revoked' | 'by_rules' | 'counted_all'>

/**
 * Returns what the viewer and the viewer's rules decided: "You approved 4 requests, of which 1 ended early, and rejected 2. Your rules approved 7
 * and rejected 0." Permissions end early when the viewer revokes them, or when the asker goes.
 */
export function decisionWords(card: Decided): string {
  const { approved, rejected } = card.by_rules
  if (approved === 0 && rejected === 0) return ownWords(card)
  const ruled = m.askers_your_rules_decided({ approved: times(approved), rejected: times(rejected) })
  return `${ownWords(card)} ${ruled}`
}

function ownWords({ approved, rejected, revoked, counted_all }: Decided): string {
  if (approved === 0 && rejected === 0) return m.askers_no_decisions_yet()
  const numbers = { count: approved, approved: times(approved), rejected: times(rejected) }
  if (revoked === 0) return counted_all ? m.askers_you_decided(numbers) : m.askers_you_decided_newest(numbers)
  const withEnded = { ...numbers, revoked: times(revoked) }
  return counted_all
    ? m.askers_you_decided_ended_early(withEnded)
    : m.askers_you_decided_ended_early_newest(withEnded)
}

/** Returns what an agent asked and what was approved: "Asked 14 times, you approved 12", "Asked 14 times, you approved 5, your rules 7". */
export function askedWords(
  agent: Pick<AskerCard['agents'][number], 'asked' | 'approved' | 'approved_by_rule'>,
): string {
  const words = askedAndApproved(agent)
  const ruled = agent.approved_by_rule
  return ruled === 0 ? words : m.askers_and_your_rules({ words, approved: times(ruled) })
}

function askedAndApproved({ asked, approved }: { asked: number; approved: number }): string {
  const numbers = { approved: approved === 0 ? m.askers_none() : times(approved) }
  if (asked === 1) return m.askers_asked_once(numbers)
  if (asked === 2) return m.askers_asked_twice(numbers)
  return m.askers_asked_times({ ...numbers, asked: times(asked) })
}
