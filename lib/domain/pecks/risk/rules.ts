/**
 * The risk of a request, by the rules in docs/risk.md. Each rule that applies gives a reason with a level. The risk is the highest of
 * them, and three medium reasons make a high risk. The rules read the raw action and the raw params only: declared types and the message
 * of the asker change nothing.
 */
import { duration } from '@/lib/kernel/text/duration'
import { comparableAmount, moneyText } from '../display/money'
import type { Params } from '../params'
import { readAction } from './action'
import { type Content, contentOf } from './content'

export const riskLevels = ['low', 'medium', 'high'] as const
type RiskLevel = (typeof riskLevels)[number]

export const riskRules = [
  'money',
  'irreversible',
  'force',
  'production',
  'outward',
  'secret',
  'hidden_text',
  'standing',
  'first_time_asker',
  'first_time_action',
  'unlike_earlier',
  'new_agent',
  'new_key',
] as const
type RiskRule = (typeof riskRules)[number]

interface RiskReason {
  rule: RiskRule
  level: RiskLevel
  /** One sentence of the service. */
  text: string
}

export interface Risk {
  level: RiskLevel
  /** The highest level first. */
  reasons: RiskReason[]
}

/** What the rules look at. */
export interface RiskFacts {
  action: string
  scope: 'limited' | 'timed' | 'standing'
  params: Params
  /** What the target knows of the asker. Null when that is not known: then the rules about it do not apply. */
  history: AskerFacts | null
}

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
}

// The limits of the rules. docs/risk.md explains them.
const mediumAmount = 100
const highAmount = 1000
const newAgentSeconds = 86_400
const newKeySeconds = 3600

type Rule = (facts: RiskFacts, content: Content) => RiskReason | null

const reason = (rule: RiskRule, level: RiskLevel, text: string): RiskReason => ({ rule, level, text })

const rules: Rule[] = [
  (_, content) => aboutMoney(content),
  ({ action }, { isProduction }) => {
    const found = readAction(action).irreversible
    if (found === null) return null
    const level = found.isDestructive || isProduction ? 'high' : 'medium'
    const words = found.isDestructive ? 'cannot be undone' : 'can be hard to undo'
    return reason('irreversible', level, `This action ${words}: ${found.word}.`)
  },
  (_, { force }) =>
    force === null ? null : reason('force', 'high', `A parameter removes a safeguard: “${force}”.`),
  (facts, { isProduction }) =>
    isProduction
      ? reason('production', readAction(facts.action).isReading ? 'low' : 'medium', 'It affects production.')
      : null,
  (facts) =>
    readAction(facts.action).isOutward
      ? reason('outward', 'medium', 'Other people see the result, and you cannot take it back.')
      : null,
  (_, { hasSecret }) =>
    hasSecret ? reason('secret', 'medium', 'The parameters contain a password, a token or a key.') : null,
  (_, { isHidden }) =>
    isHidden
      ? reason(
          'hidden_text',
          'high',
          'The parameters contain hidden characters or letters that look like others.',
        )
      : null,
  ({ scope }) =>
    scope === 'standing' ? reason('standing', 'medium', 'The permission lasts until you revoke it.') : null,
  (facts) => firstTime(facts),
  ({ history, params }, content) => {
    if (history === null || history.approvedParams === null || history.approved === 0) return null
    const difference = differenceTo(history.approvedParams, params, content)
    return difference === null ? null : reason('unlike_earlier', 'medium', difference)
  },
  ({ history }) =>
    history !== null && history.agentAge !== null && history.agentAge < newAgentSeconds
      ? reason('new_agent', 'medium', `The agent was registered ${ago(history.agentAge)} ago.`)
      : null,
  ({ history }) =>
    history !== null && history.keyAge !== null && history.keyAge < newKeySeconds
      ? reason('new_key', 'medium', `The key of the agent was rotated ${ago(history.keyAge)} ago.`)
      : null,
]

function aboutMoney({ largest, hasUnclearAmount }: Content): RiskReason | null {
  if (hasUnclearAmount) return reason('money', 'high', 'It names an amount that cannot be read exactly.')
  if (largest === null) return null
  const size = comparableAmount(largest)
  const level = size >= highAmount ? 'high' : size >= mediumAmount ? 'medium' : 'low'
  return reason('money', level, `It involves ${moneyText(largest)}.`)
}

/** The first request of an asker is medium, unless it only reads. A new action of a known asker counts less. */
function firstTime(facts: RiskFacts): RiskReason | null {
  const { history } = facts
  if (history === null || history.approved > 0) return null
  if (!history.knowsAsker)
    return reason(
      'first_time_asker',
      readAction(facts.action).isReading ? 'low' : 'medium',
      'You have not approved a request from this asker before.',
    )
  return reason('first_time_action', 'low', 'You have not approved this action for this asker before.')
}

/** Returns how the params differ from those approved last in a way that matters, or null. */
function differenceTo(approved: Params, params: Params, content: Content): string | null {
  const earlier = contentOf(approved)
  if (content.largest !== null && earlier.largest !== null) {
    const [now, before] = [comparableAmount(content.largest), comparableAmount(earlier.largest)]
    if (now > before * 2) return `The amount was ${moneyText(earlier.largest)} last time.`
  }
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

const mediumsForHigh = 3

/** Returns the risk of a request. Never throws, whatever the params contain. */
export function riskOf(facts: RiskFacts): Risk {
  const content = contentOf(facts.params, facts.action)
  const found = rules.flatMap((rule) => rule(facts, content) ?? [])
  const reasons = found.sort((left, right) => rank(right) - rank(left))
  const top = reasons[0]?.level ?? 'low'
  const mediums = reasons.filter(({ level }) => level === 'medium').length
  return { level: mediums >= mediumsForHigh ? 'high' : top, reasons }
}

const rank = ({ level }: RiskReason) => riskLevels.indexOf(level)
