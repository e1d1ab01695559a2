/** What the pages of rules read, through the API. */

import { isolated } from '@beak/decision/person-name'
import { quotable, quotedName } from '@beak/decision/quote'
import { api } from '@/app/_web/api'
import { read } from '@/app/_web/page-read'
import { findOverview } from '@/app/_web/viewer'
import type { BodyOf, ResponseOf } from '@/app/beak/_api/lines'
import { m } from '@/lib/kernel/messages'
import { readPecks, type ShownPeck } from '../../pecks/_peck/reads'

export type PresentedRule = ResponseOf<'GET /beak/rule/list'>['items'][number]
export type Rule = PresentedRule['rule']
export type SentRule = BodyOf<'POST /beak/rule/rehearse'>['rule']
export type Rehearsal = ResponseOf<'POST /beak/rule/rehearse'>
export type RuleAnswer = ResponseOf<'GET /beak/rule/answers'>['items'][number]
export type AgentBudget = ResponseOf<'GET /beak/rule/budgets'>['items'][number]

/** Whether the rules of the viewer answer, and how many there are. */
export async function readRuleState() {
  return (await findOverview())?.rules ?? { made: false, living: 0, paused_at: null }
}

/** Rehearses a rule. Refusals are returned, because the person can mend the rule. */
export const rehearse = (rule: SentRule, ruleId?: string) =>
  api('POST /beak/rule/rehearse', { body: { rule, ...(ruleId === undefined ? {} : { rule_id: ruleId }) } })

/** Who may be the subject of a rule. */
export interface Subject {
  /** The id of an agent, or of a person for all agents of that person. */
  id: string
  /** “Scout”, “Scout” of Teal, all agents of Teal. */
  name: string
  isOwn: boolean
}

/** Returns the agents that have asked the viewer or could, and the people behind them. Throws `PageProblem`. */
export async function readSubjects(viewerId: string): Promise<Subject[]> {
  const [{ items: own }, { items: askers }] = await Promise.all([
    read('GET /beak/agent/list', { query: { limit: '100' } }),
    read('GET /beak/peck/askers'),
  ])
  const ownIds = new Set(own.map(({ agent_id }) => agent_id))
  const others = askers.filter(
    ({ asker, duckling_id, operator_name }) =>
      operator_name !== undefined && !ownIds.has(asker) && duckling_id !== viewerId,
  )
  const people = new Map(others.map(({ duckling_id, operator_name: name = '' }) => [duckling_id, name]))
  return [
    ...own.map(({ agent_id: id, agent_name }) => ({ id, name: quotedName(agent_name), isOwn: true })),
    ...(own.length > 1 ? [{ id: viewerId, name: m.rules_all_your_agents(), isOwn: true }] : []),
    ...others.map(({ asker: id, name, operator_name: person = '' }) => ({
      id,
      name: m.rules_agent_of({ name: quotable(name), person: isolated(person) }),
      isOwn: false,
    })),
    ...[...people].map(([id, person]) => ({
      id,
      name: m.rules_all_agents_of({ person: isolated(person) }),
      isOwn: false,
    })),
  ]
}

/** Returns the name of whom a rule is for. An agent that is gone has only its id. */
export function subjectName(
  subjects: Subject[],
  { agent_id, operator_id }: Pick<Rule, 'agent_id' | 'operator_id'>,
) {
  const id = agent_id ?? operator_id ?? ''
  return subjects.find((subject) => subject.id === id)?.name ?? id
}

/** Returns requests that the viewer received, by their ids. */
export async function readShown(ids: string[]): Promise<Map<string, ShownPeck>> {
  if (ids.length === 0) return new Map()
  const { items } = await readPecks({
    peck_ids: [...new Set(ids)].join(','),
    direction: 'received',
    limit: String(Math.min(100, ids.length)),
  })
  return new Map(items.map((item) => [item.peck.peck_id, item]))
}
