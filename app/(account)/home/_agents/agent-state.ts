/** What an agent is doing, in words. */
import type { ResponseOf } from '@/app/beak/_api/lines'
import { hour } from '@/lib/kernel/clock'
import { actionWords } from '@/lib/kernel/text/action-words'
import { isolated } from '@/lib/kernel/text/person-name'

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
  if (agent.status === 'registered') return plain('unbonded', 'Not bonded yet')
  if (agent.status === 'suspended') return plain('suspended', 'Suspended')
  const { peck } = agent
  if (peck?.status === 'pending') return waitingState(agent, peck)
  const isRecent = peck !== null && now.getTime() - Date.parse(peck.changed_at) < recentSeconds * 1000
  if (isRecent) return recentState(peck, viewerId)
  return idleState(agent)
}

function waitingState(agent: AgentActivity, peck: ActivityPeck): AgentState {
  const isForYou = agent.waiting_for_you > 0
  const others = (isForYou ? agent.waiting_for_you : agent.waiting) - 1
  const more = others > 0 ? `, and ${others} more` : ''
  const words = wordsOf(peck, isForYou)
  return isForYou
    ? { kind: 'asks_you', text: `Waiting for you: ${words}${more}`, at: null, peckId: peck.peck_id }
    : {
        kind: 'waits',
        text: `Waiting for ${targetName(peck)}: ${words}${more}`,
        at: null,
        peckId: peck.peck_id,
      }
}

const targetName = (peck: ActivityPeck) => isolated(peck.target_full_name ?? peck.target_display_name)

/** Returns the action in words. An action that the service has no words for is in quotation marks. */
function wordsOf({ action }: ActivityPeck, isOwn: boolean): string {
  return action === 'read:profile' && !isOwn ? 'read their profile' : actionWords(action)
}

function recentState(peck: ActivityPeck, viewerId: string): AgentState {
  const { kind, text } = recentWords(peck, viewerId)
  return { kind, text, at: peck.changed_at, peckId: peck.peck_id }
}

function recentWords(peck: ActivityPeck, viewerId: string): { kind: StateKind; text: string } {
  const isOwn = peck.target_duckling_id === viewerId
  const words = wordsOf(peck, isOwn)
  const action = words.startsWith('“') ? words : `“${words}”`
  const who = isOwn ? 'You' : targetName(peck)
  if (peck.status === 'rejected') return { kind: 'refused', text: `${who} rejected ${action}` }
  if (peck.status === 'expired') return { kind: 'ended', text: `Nobody answered ${action}` }
  if (peck.status === 'cancelled') return { kind: 'ended', text: `Withdrew ${action}` }
  if (peck.grant_status === 'revoked') return { kind: 'ended', text: `${who} revoked ${action}` }
  if (peck.uses > 0) return { kind: 'used', text: `Used ${action}` }
  return { kind: 'allowed', text: `${who} approved ${action}` }
}

function idleState({ peck, last_seen_at: seen }: AgentActivity): AgentState {
  const times = [peck?.changed_at, seen].filter((time) => typeof time === 'string')
  const latest = times.toSorted().at(-1) ?? null
  return latest === null
    ? plain('idle', 'No activity yet')
    : { kind: 'idle', text: 'Idle, last active', at: latest, peckId: null }
}
