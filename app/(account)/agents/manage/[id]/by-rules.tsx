/** What an agent may do by rules of its owner, and what it did last by one. */

import { read } from '@/app/_web/page-read'
import { KeptText } from '@/components/kept-text'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { keptText } from '@/lib/kernel/text/kept-values'
import { quotedAction } from '@/lib/kernel/text/shown-action'
import { StateLine } from '../../../home/_agents/agents-overview'
import { readRuleState } from '../../../rules/_rule/reads'
import { shortRulesWithLeft } from '../../../rules/_rule/short-words'
import { isExpiredAndAsks, isLiving } from '../../../rules/_rule/words'

interface OfAgent {
  agentId: string
  viewerId: string
}

/** The rules that apply to the agent, also those for all agents of the viewer, in few words. */
export async function MayByRules({ agentId, viewerId }: OfAgent) {
  const { made, paused_at: pausedAt } = await readRuleState()
  if (!made) return null
  const { items } = await read('GET /beak/rule/list', { query: { limit: '100' } })
  const own = items.filter(
    (rule) =>
      (isLiving(rule) || isExpiredAndAsks(rule)) &&
      (rule.rule.agent_id === agentId || rule.rule.operator_id === viewerId),
  )
  if (own.length === 0) return null
  const { allows, others } = shortRulesWithLeft(own, pausedAt !== null)
  const may = allows.length === 0 ? [] : [m.agents_line_by_rules({ rules: allows.join(' · ') })]
  return (
    <p className="mt-1">
      <KeptText text={[...may, ...others].join(' · ')} />{' '}
      <Link href="/allowed#rules" className="inline-block py-0.5 underline">
        {m.agents_line_its_rules()}
      </Link>
    </p>
  )
}

/** The newest request of the agent that a rule of the viewer approved. For an agent whose newest request waits: the line above names only that one. */
export async function DidByRule({ agentId, now }: { agentId: string; now: Date }) {
  const { items } = await read('GET /beak/peck/history', {
    query: { asker: agentId, status: 'approved', direction: 'received', limit: '20' },
  })
  const peck = items.find(({ decided_by: by }) => by !== undefined)
  if (peck === undefined) return null
  const text = keptText(m.home_your_rule_approved, { action: quotedAction(peck.action, 'your') })
  return <StateLine state={{ kind: 'allowed', text, at: peck.decided_at, peckId: peck.peck_id }} now={now} />
}
