/** What is new about a request, in facts. They are no risk by themselves: the first request of one's own new agent is no alarm. */

import { size } from '../display/money'
import type { Params } from '../params'
import { say, type Wording } from '../wording'
import { type Content, contentOf } from './content'

export const noveltyRules = [
  'first_time_asker',
  'invited',
  'first_time_action',
  'unlike_earlier',
  'new_agent',
  'new_key',
  'other_agent',
] as const

export interface Novelty {
  rule: (typeof noveltyRules)[number]
  wording: Wording
}

/** Whom an asker looks like. `same_name` and `look_alike` are reasons of a high risk, `other_agent` is only a fact. */
export interface Likeness {
  rule: 'same_name' | 'look_alike' | 'other_agent'
  wording: Wording
}

/** What the target knows of the asker. */
export interface AskerFacts {
  /** Whether the target has approved anything of this asker. */
  knowsAsker: boolean
  /** Whether the target has seen no request of its own agent that a passkey made, which is known from the start. Null for all other askers. */
  isFirstOfMade?: boolean | null
  /** How often the target approved this action of the asker. */
  approved: number
  /** The params that the target approved last for this action. */
  approvedParams: Params | null
  /** Seconds since the agent was registered. Null when a person asks. */
  agentAge: number | null
  /** Seconds since the key of the agent was rotated. Null when it never was, or when a person asks. */
  keyAge: number | null
  /** Whom this unknown asker looks like. Null when it looks like nobody whom the target knows. */
  likeness: Likeness | null
}

const newAgentSeconds = 86_400
const newKeySeconds = 3600

const fact = (rule: Novelty['rule'], wording: Wording): Novelty => ({ rule, wording })

/** Returns what is new about a request with these params. */
export function noveltyOf(history: AskerFacts, params: Params, content: Content): Novelty[] {
  const { agentAge, keyAge, likeness, isFirstOfMade = null } = history
  return [
    ...firstTime(history),
    ...unlikeEarlier(history, params, content),
    // The target has just made it with a passkey.
    ...(agentAge !== null && agentAge < newAgentSeconds && isFirstOfMade === null
      ? [fact('new_agent', say('new_agent', { age: ageOf(agentAge) }))]
      : []),
    ...(keyAge !== null && keyAge < newKeySeconds
      ? [fact('new_key', say('new_key', { age: ageOf(keyAge) }))]
      : []),
    ...(likeness?.rule === 'other_agent' ? [fact('other_agent', likeness.wording)] : []),
  ]
}

function firstTime({ knowsAsker, isFirstOfMade = null, approved }: AskerFacts): Novelty[] {
  if (approved > 0) return []
  // An own agent is new once, and not with each action.
  if (isFirstOfMade !== null) return isFirstOfMade ? [fact('first_time_asker', say('new_asker'))] : []
  return knowsAsker
    ? [fact('first_time_action', say('new_action'))]
    : [fact('first_time_asker', say('new_asker'))]
}

function unlikeEarlier(
  { approved, approvedParams }: AskerFacts,
  params: Params,
  content: Content,
): Novelty[] {
  if (approvedParams === null || approved === 0) return []
  const difference = differenceTo(approvedParams, params, content)
  return difference === null ? [] : [fact('unlike_earlier', difference)]
}

/** Returns how the params differ from those approved last in a way that matters, or null. */
function differenceTo(approved: Params, params: Params, content: Content): Wording | null {
  const earlier = contentOf(approved)
  if (
    content.largest !== null &&
    earlier.largest !== null &&
    size(content.largest) > size(earlier.largest) * 2
  )
    return say('amount_last_time', { amount: earlier.largest })
  if (content.addresses.some((address) => !earlier.addresses.includes(address)))
    return earlier.addresses.length > 0 ? say('other_address') : say('new_address')
  const added = Object.keys(params).filter((name) => !Object.hasOwn(approved, name))
  return added.length > 0 ? say('new_details') : null
}

/** Rounds a time down to its largest unit: 20 seconds, 5 minutes, 3 hours. It is the age at the request, so it stays true. */
function ageOf(seconds: number): number {
  const unit = seconds < 60 ? 1 : seconds < 3600 ? 60 : 3600
  return Math.max(1, Math.floor(seconds / unit) * unit)
}
