/**
 * The risk of a request, by the rules in docs/risk.md. Each rule that applies gives a reason with a level, and the risk is the highest of
 * them. What is new about a request is no level: it is a list of facts of its own. The rules read the raw action and the raw params only:
 * declared types and the message of the asker change nothing.
 */
import { wantsEmail } from '@/lib/kernel/profile-request'
import { moneyText, size } from '../display/money'
import type { Params } from '../params'
import { readAction } from './action'
import { type Content, contentOf } from './content'
import { doing } from './doing'
import { type RiskLevel, type RiskReason, riskLevels, riskRules } from './levels'
import { type AskerFacts, type Novelty, noveltyOf } from './novelty'
import { textsOf } from './param-names'
import { theirs } from './theirs'
import { highAmount, reason, reasonsOfVersion2, type Seen } from './version-2'
import { controlling, doors, transferable } from './words'

/**
 * Changes whenever a request can get a reason that it did not have, or lose one. A signed rule keeps the medium reasons of the version under
 * which it was signed (contract C, Rules), so the reasons of each earlier version are still computed.
 */
export const riskVersion = 2

export interface Risk {
  level: RiskLevel
  /** The highest level first, and in a level what matters most. */
  reasons: RiskReason[]
  /** What is new about the asker, the action or the values. */
  novelty: Novelty[]
  /** The reasons of version 1. Absent in a stored risk. */
  earlier?: RiskReason[]
}

/** What the rules look at. */
export interface RiskFacts {
  action: string
  scope: 'limited' | 'timed' | 'standing'
  params: Params
  /** Whether an agent of the target asks. Absent: not known, and then it counts as somebody else's. */
  isOwn?: boolean
  /** What the target knows of the asker. Null when that is not known: then the rules about it do not apply. */
  history: AskerFacts | null
}

type Rule = (seen: Seen) => RiskReason | null

const rules: Rule[] = [
  aboutMoney,
  ({ action: { irreversible }, content: { destroys } }) => {
    if (destroys !== null)
      return reason('irreversible', 'high', `${theirs(destroys)} destroys something. That can't be undone.`)
    if (irreversible === null) return null
    const { word, isDestructive } = irreversible
    return isDestructive
      ? reason('irreversible', 'high', `${doing(word)} can't be undone.`)
      : reason('irreversible', 'medium', `${doing(word)} can be hard to undo.`)
  },
  aboutControl,
  aboutSecrets,
  ({ content: { command, hasCommand } }) => {
    if (command !== null)
      return reason(
        'command',
        'high',
        `It runs a command that destroys, forces or gives control: ${theirs(command)}.`,
      )
    return hasCommand ? reason('command', 'medium', 'It runs a command.') : null
  },
  ({ action, content }) => {
    if (action.safeguard !== null)
      return reason('force', 'high', `It switches off or skips a safety check: ${action.safeguard}.`)
    if (content.force === null || action.isHarmless) return null
    return reason('force', 'high', `${theirs(content.force)} skips the usual safety check.`)
  },
  ({ action, content }) =>
    action.isProduction || content.isProduction
      ? reason(
          'production',
          action.isHarmless ? 'medium' : 'high',
          `${action.isProduction ? 'The action names' : 'The details mention'} production.`,
        )
      : null,
  ({ content: { isHidden } }) =>
    isHidden
      ? reason(
          'hidden_text',
          'high',
          'The details contain hidden characters, or letters that look like others.',
        )
      : null,
  ({ history }) =>
    history?.likeness == null || history.likeness.rule === 'other_agent'
      ? null
      : reason(history.likeness.rule, 'high', history.likeness.text),
  ({ action }) => {
    if (!action.isOutward || (action.isGiving && action.control !== null)) return null
    return reason('outward', 'medium', action.isGiving ? 'It gives somebody access.' : 'Others may see it.')
  },
  ({ scope }) =>
    scope === 'standing' ? reason('standing', 'medium', 'The permission lasts until you revoke it.') : null,
  ({ action: { isHarmless, sensitive }, content: { mentionsSecret }, givesEmail }) => {
    if (givesEmail) return reason('sensitive', 'medium', 'It shows your email address.')
    if (!isHarmless || (sensitive === null && !mentionsSecret)) return null
    return reason(
      'sensitive',
      'medium',
      `It reads something that is not for everybody: ${sensitive ?? 'secrets'}.`,
    )
  },
]

/** A payment has the level of its amount. Without one it is medium, and high when it moves money that somebody has. */
function aboutMoney({ action: { pays, isHarmless }, content, history }: Seen): RiskReason | null {
  const { largest, hasUnclearAmount, hasAmountInWords } = content
  if (hasUnclearAmount || (pays !== null && hasAmountInWords))
    return { ...reason('money', 'high', unclearText(content, history)), unclear: true }
  if (largest !== null) {
    // To search for flights up to an amount spends nothing.
    const isHigh = size(largest) >= highAmount && !isHarmless
    return reason('money', isHigh ? 'high' : 'medium', `It involves ${moneyText(largest)}.`)
  }
  if (pays === null) return null
  return pays.isTransfer
    ? reason('money', 'high', 'It moves money and names no amount.')
    : reason('money', 'medium', 'It can cost money, and names no amount.')
}

/** Says how the amount can be read, and what makes it clear. Only an agent has an age. */
function unclearText({ readings }: Content, history: AskerFacts | null): string {
  const whom = history?.agentAge === null ? 'them' : 'the agent'
  const problem =
    readings === null ? "An amount can't be read exactly." : `This can mean ${readings.join(' or ')}.`
  return `${problem} Ask ${whom} to write it clearly.`
}

function aboutControl({ action, content }: Seen): RiskReason | null {
  if (action.control !== null) return reason('control', 'high', controlText(action.control))
  if (content.control !== null && !action.isHarmless)
    return reason('control', 'high', `${theirs(content.control)} gives somebody control.`)
  return content.hasAccess || content.control !== null
    ? reason('control', 'medium', 'The details name an access right.')
    : null
}

/** The word is a verb that takes control, or what somebody gets: access, a role, a door. */
function controlText(word: string): string {
  if (controlling.has(word)) return `It lets somebody act with the rights of others: ${word}.`
  if (transferable.has(word) || doors.has(word)) return `It gives somebody control over the ${word}.`
  return word === 'access' ? 'It gives somebody access.' : `It gives somebody control: ${word}.`
}

/** A secret in the params is given away when other people see the result, or when the action stores or changes it. */
function aboutSecrets({ action, content }: Seen): RiskReason | null {
  if (action.secret !== null)
    return reason('secret', 'high', `It gives away or changes a secret: ${action.secret}.`)
  if (content.secret === null) return null
  const isGiven = action.isOutward || action.isChange
  return reason('secret', isGiven ? 'high' : 'medium', `It contains a ${content.secret}.`)
}

/** Everything that no rule knows is a medium risk, unless the action is known to change nothing. */
function levelOf({ action: { isHarmless }, content: { acts } }: Seen, reasons: RiskReason[]): RiskReason[] {
  if ((isHarmless && !acts) || reasons.some(({ level }) => level !== 'low')) return reasons
  return [reason('unlisted', 'medium', 'It may change something.'), ...reasons]
}

/** Returns the risk of a request. Never throws, whatever the params contain. */
export function riskOf({ action: text, scope, params, isOwn = false, history }: RiskFacts): Risk {
  const action = readAction(text)
  const content = contentOf(params, textsOf(action.texts))
  const seen = { text, action, content, scope, history, isOwn, givesEmail: wantsEmail(text, params) }
  const earlier = levelOf(
    seen,
    rules.flatMap((rule) => rule(seen) ?? []),
  )
  const reasons = reasonsOfVersion2(seen, earlier).sort(byWeight)
  return {
    level: reasons[0]?.level ?? 'low',
    reasons,
    novelty: history === null ? [] : noveltyOf(history, params, content),
    earlier,
  }
}

/** Compares two reasons: the highest level first, then what matters most. */
const byWeight = (left: RiskReason, right: RiskReason) =>
  riskLevels.indexOf(right.level) - riskLevels.indexOf(left.level) ||
  riskRules.indexOf(left.rule) - riskRules.indexOf(right.rule)
