/** What an agent is doing, in words. */

import type { ResponseOf } from '@/app/beak/_api/lines'
import { hour } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { isolated } from '@/lib/kernel/text/person-name'
import { quotedAction, shownAction } from '@/lib/kernel/text/shown-action'

export type AgentActivity = ResponseOf<'GET /beak/agent/activity'>['items'][number]
type ActivityPeck = NonNullable<AgentActivity['peck']>

/** Each kind has its own icon, so that it is recognised without colour. */
export type StateKind =
  | 'asks_you'
  | 'waits'
  | 'allowed'
  | 'used'
  | 'refused'
  | 'ended'
  | 'idle'
  | 'suspended'
  | 'unbonded'

export interface AgentState {
  kind: StateKind
  text: string
  /** Shown after the text, as a time. */
  at: string | null
  /** The request that the text is about. */
  peckId: string | null
}

/** After this time without a change, an agent is idle. */
const recentSeconds = 24 * hour

const plain = (kind: StateKind, text: string): AgentState => ({ kind, text, at: null, peckId: null })

/** Returns the state of an agent as its owner sees it at `now`. */
export function stateOf(agent: AgentActivity, viewerId: string, now: Date): AgentState {
  if (agent.status === 'registered') return plain('unbonded', m.home_not_bonded_yet())
  if (agent.status === 'suspended') return plain('suspended', m.home_suspended())
  const { peck } = agent
  if (peck?.status === 'pending') return waitingState(agent, peck)
  const isRecent = peck !== null && now.getTime() - Date.parse(peck.changed_at) < recentSeconds * 1000
  if (isRecent) return recentState(peck, viewerId)
  return idleState(agent)
}

function waitingState(agent: AgentActivity, peck: ActivityPeck): AgentState {
  const isForYou = agent.waiting_for_you > 0
  const count = (isForYou ? agent.waiting_for_you : agent.waiting) - 1
  const action = shownAction(peck.action, isForYou ? 'your' : 'their')
  const text = isForYou ? waitingForYou(action, count) : waitingFor(targetName(peck), action, count)
  return { kind: isForYou ? 'asks_you' : 'waits', text, at: null, peckId: peck.peck_id }
}

const waitingForYou = (action: string, count: number) =>
  count > 0 ? m.home_waiting_for_you_more({ action, count }) : m.home_waiting_for_you({ action })

const waitingFor = (name: string, action: string, count: number) =>
  count > 0
    ? m.home_waiting_for_name_more({ name, action, count })
    : m.home_waiting_for_name({ name, action })

const targetName = (peck: ActivityPeck) => isolated(peck.target_full_name ?? peck.target_display_name)

function recentState(peck: ActivityPeck, viewerId: string): AgentState {
  const { kind, text } = recentWords(peck, viewerId)
  return { kind, text, at: peck.changed_at, peckId: peck.peck_id }
}

function recentWords(peck: ActivityPeck, viewerId: string): { kind: StateKind; text: string } {
  const isOwn = peck.target_duckling_id === viewerId
  const action = quotedAction(peck.action, isOwn ? 'your' : 'their')
  const { you, yourRule, name, ruleOf } = decided
  const who = (verb: 'approved' | 'rejected' | 'revoked') => {
    const isRuled = peck.by_rule && verb !== 'revoked'
    if (isOwn) return (isRuled ? yourRule[verb] : you[verb])({ action })
    return (isRuled ? ruleOf[verb] : name[verb])({ name: targetName(peck), action })
  }
  if (peck.status === 'rejected') return { kind: 'refused', text: who('rejected') }
  if (peck.status === 'expired') return { kind: 'ended', text: m.home_nobody_answered({ action }) }
  if (peck.status === 'cancelled') return { kind: 'ended', text: m.home_withdrew({ action }) }
  if (peck.grant_status === 'revoked') return { kind: 'ended', text: who('revoked') }
  if (peck.uses > 0) return { kind: 'used', text: m.home_used({ action }) }
  return { kind: 'allowed', text: who('approved') }
}

/** What the viewer or somebody else, or a rule of theirs, did with a request. */
const decided = {
  you: { approved: m.home_you_approved, rejected: m.home_you_rejected, revoked: m.home_you_revoked },
  yourRule: { approved: m.home_your_rule_approved, rejected: m.home_your_rule_rejected },
  ruleOf: { approved: m.home_rule_of_name_approved, rejected: m.home_rule_of_name_rejected },
  name: { approved: m.home_name_approved, rejected: m.home_name_rejected, revoked: m.home_name_revoked },
}

function idleState({ peck, last_seen_at: seen }: AgentActivity): AgentState {
  const times = [peck?.changed_at, seen].filter((time) => typeof time === 'string')
  const latest = times.toSorted().at(-1) ?? null
  return latest === null
    ? plain('idle', m.home_no_activity_yet())
    : { kind: 'idle', text: m.home_idle_last_active(), at: latest, peckId: null }
}
