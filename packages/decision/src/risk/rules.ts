/**
 * The risk of a request, by the rules in docs/risk.md. Each rule that applies gives a reason with a level, and the risk is the highest of
 * them. What is new about a request is no level: it is a list of facts of its own. The rules read the raw action and the raw params only:
 * declared types and the message of the asker change nothing.
 */

import { size } from '../display/money'
import { isFreeText } from '../free-text'
import type { Params } from '../params'
import { wantsEmail } from '../profile-request'
import { say, type Wording } from '../wording'
import { readAction } from './action'
import { type Content, contentOf } from './content'
import { reasonsOfFreeText } from './free-text'
import { type RiskLevel, type RiskReason, riskLevels, riskRules } from './levels'
import { type AskerFacts, type Novelty, noveltyOf } from './novelty'
import { textsOf } from './param-names'
import { doing, knownWord, shortWords } from './values'
import { highAmount, reason, reasonsOfVersion2, type Seen } from './version-2'
import { controlling, doors, transferable } from './words'

/**
 * Changes whenever a request can get a reason that it did not have, or lose one. A signed rule keeps the medium reasons of the version under
 * which it was signed, so the reasons of each earlier version are still computed.
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
    if (destroys !== null) return reason('irreversible', 'high', whatDestroys(destroys))
    if (irreversible === null) return null
    const { word, isDestructive } = irreversible
    return isDestructive
      ? reason('irreversible', 'high', say('cannot_be_undone', { doing: doing(word) }))
      : reason('irreversible', 'medium', say('hard_to_undo', { doing: doing(word) }))
  },
  aboutControl,
  aboutSecrets,
  ({ content: { command, download, hasCommand } }) => {
    if (download !== null)
      return reason(
        'command',
        'high',
        download === 'user' ? say('runs_download') : say('runs_download_as_administrator'),
      )
    if (command !== null)
      return reason('command', 'high', say('dangerous_command', { command: shortWords(command) }))
    return hasCommand ? reason('command', 'medium', say('runs_command')) : null
  },
  ({ action, content }) => {
    if (action.safeguard !== null)
      return reason('force', 'high', say('switches_off_check', { check: knownWord(action.safeguard) }))
    if (content.force === null || action.isHarmless) return null
    return reason('force', 'high', whatForces(content.force, action.irreversible?.isDestructive ?? false))
  },
  ({ action, content }) =>
    action.isProduction || content.isProduction
      ? reason(
          'production',
          action.isHarmless ? 'medium' : 'high',
          action.isProduction ? say('action_names_production') : say('details_mention_production'),
        )
      : null,
  ({ content: { isHidden } }) => (isHidden ? reason('hidden_text', 'high', say('hidden_characters')) : null),
  ({ history }) =>
    history?.likeness == null || history.likeness.rule === 'other_agent'
      ? null
      : reason(history.likeness.rule, 'high', history.likeness.wording),
  ({ action }) => {
    if (!action.isOutward || (action.isGiving && action.control !== null)) return null
    return reason('outward', 'medium', action.isGiving ? say('gives_access') : say('others_may_see'))
  },
  ({ scope }) => (scope === 'standing' ? reason('standing', 'medium', say('lasts_until_revoked')) : null),
  ({ action: { isHarmless, sensitive }, content: { mentionsSecret }, givesEmail }) => {
    if (givesEmail) return reason('sensitive', 'medium', say('shows_email'))
    if (!isHarmless || (sensitive === null && !mentionsSecret)) return null
    return reason('sensitive', 'medium', say('reads_private', { what: knownWord(sensitive ?? 'secrets') }))
  },
]

const deletesFiles = /^(?:\S*\/)?(?:rm|rmdir|shred|unlink)(?:\s|$)/

function whatDestroys(destroys: string): Wording {
  const words = shortWords(destroys)
  return deletesFiles.test(destroys)
    ? say('command_deletes_files', { words })
    : say('detail_destroys', { words })
}

function whatForces(name: string, deletes: boolean): Wording {
  if (!/^recursive(?:ly)?$/i.test(name)) return say('detail_skips_check', { words: shortWords(name) })
  return deletes ? say('deletes_all_inside') : say('reaches_all_inside')
}

/** A payment has the level of its amount. Without one it is medium, and high when it moves money that somebody has. */
function aboutMoney({ action: { pays, isHarmless }, content, history }: Seen): RiskReason | null {
  const { largest, hasUnclearAmount, hasAmountInWords } = content
  if (hasUnclearAmount || (pays !== null && hasAmountInWords))
    return { ...reason('money', 'high', unclearAmount(content, history)), unclear: true }
  if (largest !== null) {
    // To search for flights up to an amount spends nothing.
    const isHigh = size(largest) >= highAmount && !isHarmless
    return reason('money', isHigh ? 'high' : 'medium', say('involves_amount', { amount: largest }))
  }
  if (pays === null) return null
  return pays.isTransfer
    ? reason('money', 'high', say('moves_money'))
    : reason('money', 'medium', say('can_cost_money'))
}

/** Says how the amount can be read, and what makes it clear. Only an agent has an age. */
function unclearAmount({ readings, about }: Content, history: AskerFacts | null): Wording {
  const isPerson = history?.agentAge === null
  if (about !== null)
    return isPerson ? say('about_ask_them', { amount: about }) : say('about_ask_agent', { amount: about })
  if (readings === null) return isPerson ? say('unclear_ask_them') : say('unclear_ask_agent')
  const [larger, smaller] = readings
  return isPerson
    ? say('two_readings_ask_them', { larger, smaller })
    : say('two_readings_ask_agent', { larger, smaller })
}

function aboutControl({ action, content }: Seen): RiskReason | null {
  if (action.control !== null) return reason('control', 'high', givenControl(action.control))
  if (content.control !== null && !action.isHarmless)
    return reason('control', 'high', say('detail_gives_control', { words: shortWords(content.control) }))
  return content.hasAccess || content.control !== null
    ? reason('control', 'medium', say('names_access_right'))
    : null
}

/** The word is a verb that takes control, or what somebody gets: access, a role, a door. */
function givenControl(given: string): Wording {
  if (controlling.has(given)) return say('rights_of_others', { word: knownWord(given) })
  if (transferable.has(given) || doors.has(given)) return say('control_over', { word: knownWord(given) })
  return given === 'access' ? say('gives_access') : say('gives_control', { word: knownWord(given) })
}

/** A secret in the params is given away when other people see the result, or when the action stores or changes it. */
function aboutSecrets({ action, content }: Seen): RiskReason | null {
  if (action.secret !== null)
    return reason('secret', 'high', say('gives_secret', { secret: knownWord(action.secret) }))
  if (content.secret === null) return null
  const isGiven = action.isOutward || action.isChange
  return reason('secret', isGiven ? 'high' : 'medium', say('contains_secret', { secret: content.secret }))
}

/** Everything that no rule knows is a medium risk, unless the action is known to change nothing. */
function levelOf({ action: { isHarmless }, content: { acts } }: Seen, reasons: RiskReason[]): RiskReason[] {
  if ((isHarmless && !acts) || reasons.some(({ level }) => level !== 'low')) return reasons
  return [reason('unlisted', 'medium', say('may_change')), ...reasons]
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
  const found = reasonsOfVersion2(seen, earlier)
  const reasons = (isFreeText(text) ? reasonsOfFreeText(found, params) : found).sort(byWeight)
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
