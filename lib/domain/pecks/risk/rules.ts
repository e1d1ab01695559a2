/**
 * The risk of a request, by the rules in docs/risk.md. Each rule that applies gives a reason with a level, and the risk is the highest of
 * them. What is new about a request is no level: it is a list of facts of its own. The rules read the raw action and the raw params only:
 * declared types and the message of the asker change nothing.
 */
import { moneyText, size } from '../display/money'
import type { Params } from '../params'
import { type ActionFacts, readAction } from './action'
import { type Content, contentOf } from './content'
import { type AskerFacts, type Novelty, noveltyOf } from './novelty'
import { textsOf } from './param-names'

export const riskLevels = ['low', 'medium', 'high'] as const
type RiskLevel = (typeof riskLevels)[number]

export const riskRules = [
  'money',
  'irreversible',
  'control',
  'secret',
  'command',
  'force',
  'production',
  'hidden_text',
  'look_alike',
  'outward',
  'standing',
  'sensitive',
  'unlisted',
] as const
type RiskRule = (typeof riskRules)[number]

export interface RiskReason {
  rule: RiskRule
  level: RiskLevel
  /** One sentence of the service. */
  text: string
}

export interface Risk {
  level: RiskLevel
  /** The highest level first. */
  reasons: RiskReason[]
  /** What is new about the asker, the action or the values. */
  novelty: Novelty[]
}

/** What the rules look at. */
export interface RiskFacts {
  action: string
  scope: 'limited' | 'timed' | 'standing'
  params: Params
  /** What the target knows of the asker. Null when that is not known: then the rules about it do not apply. */
  history: AskerFacts | null
}

/** From this amount in any currency on, a request is a high risk. docs/risk.md explains it. */
const highAmount = 1000

interface Seen extends Pick<RiskFacts, 'scope' | 'history'> {
  action: ActionFacts
  content: Content
}
type Rule = (seen: Seen) => RiskReason | null

const reason = (rule: RiskRule, level: RiskLevel, text: string): RiskReason => ({ rule, level, text })

const rules: Rule[] = [
  aboutMoney,
  ({ action: { irreversible }, content: { destroys } }) => {
    if (destroys !== null)
      return reason('irreversible', 'high', `A parameter says that something is destroyed: “${destroys}”.`)
    if (irreversible === null) return null
    const { word, isDestructive } = irreversible
    const words = isDestructive ? 'cannot be undone' : 'can be hard to undo'
    return reason('irreversible', isDestructive ? 'high' : 'medium', `This action ${words}: ${word}.`)
  },
  aboutControl,
  aboutSecrets,
  ({ content: { command, hasCommand } }) => {
    if (command !== null)
      return reason(
        'command',
        'high',
        `It has a command that destroys, forces or gives control: “${command}”.`,
      )
    return hasCommand ? reason('command', 'medium', 'It has a command for a program.') : null
  },
  ({ action, content }) => {
    if (action.safeguard !== null)
      return reason('force', 'high', `This action removes a safeguard: ${action.safeguard}.`)
    if (content.force === null || action.isHarmless) return null
    return reason('force', 'high', `A parameter removes a safeguard: “${content.force}”.`)
  },
  ({ action, content }) =>
    action.isProduction || content.isProduction
      ? reason('production', action.isHarmless ? 'medium' : 'high', 'It affects production.')
      : null,
  ({ content: { isHidden } }) =>
    isHidden
      ? reason(
          'hidden_text',
          'high',
          'The parameters contain hidden characters or letters that look like others.',
        )
      : null,
  ({ history }) =>
    history?.looksLike == null
      ? null
      : reason(
          'look_alike',
          'high',
          `The asker has the name of “${history.looksLike}”, whom you know, and is somebody else.`,
        ),
  ({ action }) =>
    action.isOutward
      ? reason('outward', 'medium', 'Other people see the result, and you cannot take it back.')
      : null,
  ({ scope }) =>
    scope === 'standing' ? reason('standing', 'medium', 'The permission lasts until you revoke it.') : null,
  ({ action: { isHarmless, sensitive }, content: { mentionsSecret } }) => {
    if (!isHarmless || (sensitive === null && !mentionsSecret)) return null
    return reason(
      'sensitive',
      'medium',
      `It concerns something that is not for everybody: ${sensitive ?? 'secrets'}.`,
    )
  },
]

/** A payment has the level of its amount. Without one it is medium, and high when it moves money that somebody has. */
function aboutMoney({ action: { pays, isHarmless }, content }: Seen): RiskReason | null {
  const { largest, hasUnclearAmount, hasAmountInWords } = content
  if (hasUnclearAmount || (pays !== null && hasAmountInWords))
    return reason('money', 'high', 'It names an amount that cannot be read exactly.')
  if (largest !== null) {
    // To search for flights up to an amount spends nothing.
    const isHigh = size(largest) >= highAmount && !isHarmless
    return reason('money', isHigh ? 'high' : 'medium', `It involves ${moneyText(largest)}.`)
  }
  if (pays === null) return null
  return pays.isTransfer
    ? reason('money', 'high', 'It moves money and names no amount.')
    : reason('money', 'medium', 'It costs money and names no amount.')
}

function aboutControl({ action, content }: Seen): RiskReason | null {
  if (action.control !== null)
    return reason('control', 'high', `This action gives control to somebody: ${action.control}.`)
  if (content.control !== null && !action.isHarmless)
    return reason('control', 'high', `A parameter gives control to somebody: “${content.control}”.`)
  return content.hasAccess || content.control !== null
    ? reason('control', 'medium', 'The parameters name an access right.')
    : null
}

/** A secret in the params is given away when other people see the result, or when the action stores or changes it. */
function aboutSecrets({ action, content }: Seen): RiskReason | null {
  if (action.secret !== null)
    return reason('secret', 'high', `It gives away or changes a secret: ${action.secret}.`)
  if (!content.hasSecret) return null
  const isGiven = action.isOutward || action.isChange
  return reason(
    'secret',
    isGiven ? 'high' : 'medium',
    'The parameters contain a password, a token, a key or the number of a card.',
  )
}

/** Everything that no rule knows is a medium risk, unless the action is known to change nothing. */
function levelOf({ action: { isHarmless }, content: { acts } }: Seen, reasons: RiskReason[]): RiskReason[] {
  if ((isHarmless && !acts) || reasons.some(({ level }) => level !== 'low')) return reasons
  return [
    reason('unlisted', 'medium', 'It is not one of the actions that are known to change nothing.'),
    ...reasons,
  ]
}

/** Returns the risk of a request. Never throws, whatever the params contain. */
export function riskOf({ action: text, scope, params, history }: RiskFacts): Risk {
  const action = readAction(text)
  const content = contentOf(params, textsOf(action.texts))
  const seen = { action, content, scope, history }
  const found = rules.flatMap((rule) => rule(seen) ?? [])
  const reasons = levelOf(seen, found).sort((left, right) => rank(right) - rank(left))
  return {
    level: reasons[0]?.level ?? 'low',
    reasons,
    novelty: history === null ? [] : noveltyOf(history, params, content),
  }
}

const rank = ({ level }: RiskReason) => riskLevels.indexOf(level)
