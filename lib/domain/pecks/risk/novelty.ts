/** What is new about a request, in facts. They are no risk by themselves: the first request of one's own new agent is no alarm. */
import { duration } from '@/lib/kernel/text/duration'
import { moneyText, size } from '../display/money'
import type { Params } from '../params'
import { type Content, contentOf } from './content'

export const noveltyRules = [
  'first_time_asker',
  'first_time_action',
  'unlike_earlier',
  'new_agent',
  'new_key',
] as const

export interface Novelty {
  rule: (typeof noveltyRules)[number]
  /** One sentence of the service. */
  text: string
}

/** What the target knows of the asker. */
export interface AskerFacts {
  /** Whether the target has approved anything of this asker. */
  knowsAsker: boolean
  /** How often the target approved this action of the asker. */
  approved: number
  /** The params that the target approved last for this action. */
  approvedParams: Params | null
  /** Seconds since the agent was registered. Null when a person asks. */
  agentAge: number | null
  /** Seconds since the key of the agent was rotated. Null when it never was, or when a person asks. */
  keyAge: number | null
  /** The name of another asker, known to the target, which looks the same as that of this unknown one. */
  looksLike: string | null
}

const newAgentSeconds = 86_400
const newKeySeconds = 3600

const fact = (rule: Novelty['rule'], text: string): Novelty => ({ rule, text })

/** Returns what is new about a request with these params. */
export function noveltyOf(history: AskerFacts, params: Params, content: Content): Novelty[] {
  const { agentAge, keyAge } = history
  return [
    ...firstTime(history),
    ...unlikeEarlier(history, params, content),
    ...(agentAge !== null && agentAge < newAgentSeconds
      ? [fact('new_agent', `The agent was registered ${ago(agentAge)} ago.`)]
      : []),
    ...(keyAge !== null && keyAge < newKeySeconds
      ? [fact('new_key', `The key of the agent was rotated ${ago(keyAge)} ago.`)]
      : []),
  ]
}

function firstTime({ knowsAsker, approved }: AskerFacts): Novelty[] {
  if (approved > 0) return []
  return knowsAsker
    ? [fact('first_time_action', 'You have not approved this action for this asker before.')]
    : [fact('first_time_asker', 'You have not approved a request from this asker before.')]
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
function differenceTo(approved: Params, params: Params, content: Content): string | null {
  const earlier = contentOf(approved)
  if (
    content.largest !== null &&
    earlier.largest !== null &&
    size(content.largest) > size(earlier.largest) * 2
  )
    return `The amount was ${moneyText(earlier.largest)} last time.`
  if (content.addresses.some((address) => !earlier.addresses.includes(address)))
    return earlier.addresses.length > 0
      ? 'It goes to a different address than last time.'
      : 'It has an address, which it did not have last time.'
  const added = Object.keys(params).filter((name) => !Object.hasOwn(approved, name))
  return added.length > 0 ? 'It has parameters that it did not have last time.' : null
}

/** Returns a time in its largest unit: "5 minutes", "3 hours". */
function ago(seconds: number): string {
  if (seconds < 60) return 'less than a minute'
  return duration(seconds < 3600 ? Math.floor(seconds / 60) * 60 : Math.floor(seconds / 3600) * 3600)
}
