/** The reasons of version 2 of the rules: what is dangerous besides the verb, and nothing for what is known to be harmless. */
import { size } from '../display/money'
import { say, type Wording } from '../wording'
import type { ActionFacts } from './action'
import type { Content } from './content'
import { covertDangers } from './covert'
import { dangersOf } from './dangers'
import { harmlessKind, readsByVerb, verbFirst } from './harmless'
import { isNoCommand, runsHarmlessCommands } from './harmless-commands'
import { hasHarmlessParams } from './harmless-params'
import type { HarmlessKind } from './harmless-verbs'
import { type RiskLevel, type RiskReason, type RiskRule, riskLevels } from './levels'
import type { AskerFacts } from './novelty'
import { doing } from './values'

/** From this amount in any currency on, a request is a high risk. docs/risk.md explains it. */
export const highAmount = 1000

/** What the rules look at, once it was read. */
export interface Seen {
  scope: 'limited' | 'timed' | 'standing'
  history: AskerFacts | null
  text: string
  action: ActionFacts
  isOwn: boolean
  content: Content
  /** Whether the service shows the email address of the target. */
  givesEmail: boolean
}
export const reason = (rule: RiskRule, level: RiskLevel, wording: Wording): RiskReason => ({
  rule,
  level,
  wording,
})

/** Returns one reason of each rule: the highest, and of two the first. */
function highestOf(reasons: RiskReason[]): RiskReason[] {
  const found = new Map<RiskRule, RiskReason>()
  for (const one of reasons) {
    const other = found.get(one.rule)
    if (other === undefined || riskLevels.indexOf(one.level) > riskLevels.indexOf(other.level))
      found.set(one.rule, one)
  }
  return [...found.values()]
}

/** Returns the reasons of version 2: what is dangerous besides the verb, and nothing for what is known to be harmless. */
export function reasonsOfVersion2(seen: Seen, earlier: RiskReason[]): RiskReason[] {
  const { action, content, isOwn } = seen
  const { verb, object } = action.named
  const words = [...verb, ...object].join(' ')
  const turned = verbFirst(seen.text)
  const kind = harmlessKind(seen.text, isOwn)
  const isReading = action.isHarmless || readsByVerb(seen.text)
  const acted = { words, turned, isReading, isOutward: action.isOutward, isOwn, isKnown: kind !== null }
  const isOpenlyActing = action.isOutward || action.pays !== null || action.control !== null
  const excused = excusedRules(seen, kind)
  const covert =
    isOpenlyActing && kind === null
      ? []
      : covertDangers(content, seen.text, { isReading, kind, isKnown: excused !== null })
  const dangers = [...dangersOf(acted, content), ...covert]
  const all = highestOf([...softened(earlier, seen, kind), ...dangers]).filter(
    (one) => excused === null || !excused.has(one.rule) || (one.level === 'high' && dangers.includes(one)),
  )
  if (all.some(({ level }) => level === 'high')) {
    // A file that holds keys is no command.
    const isFile =
      !content.hasCommand && action.texts !== 'running' && all.some(({ rule }) => rule === 'secret')
    // The policy of an insurance is no access right. A request without a high reason keeps it: rules of people name it.
    const isInsurance = insurances.test(words) && all.some(({ rule }) => rule === 'irreversible')
    return all.filter(
      ({ rule, level }) =>
        rule !== 'unlisted' &&
        !(isFile && rule === 'command') &&
        !(isInsurance && rule === 'control' && level === 'medium'),
    )
  }
  if (excused !== null || all.length > 0) return all
  return [reason('unlisted', 'medium', say('may_show_more'))]
}

/** What a person gets back, or makes anew in a minute. */
const renewable = /\b(?:events?|reminders?|tasks?|todos?|alarms?|timers?|bookmarks?|playlists?|termine?)$/
/** Documents that name an amount without moving it. */
const documents =
  /\b(?:invoices?|quotes?|quotations?|offers?|estimates?|proposals?|turnover|claims?|returns?|receipts?)\b/
const insurances =
  /\b(?:insurances?|krankenversicherung|versicherung(?:en)?|assurance|seguro|assicurazione|verzekering)\b/
const producing = /^(?:send|submit|draft|create|declare|write|prepare|issue|generate|read|get|list)\b/

/** Returns the reasons of version 1 as version 2 weighs them: what is undone easily, and what only names an amount, is no high risk. */
function softened(
  reasons: RiskReason[],
  { action, content, text }: Seen,
  kind: HarmlessKind | null,
): RiskReason[] {
  const { verb, object } = action.named
  const [words, turned] = [[...verb, ...object].join(' '), verbFirst(text)]
  const isTrash = content.lines.some((line) => /^(?:to_|move_to_)?trash=(?:true|yes|1)$/.test(line))
  return reasons.map((one): RiskReason => {
    if (one.level !== 'high') return one
    const word = action.irreversible?.word
    if (
      one.rule === 'irreversible' &&
      word !== undefined &&
      content.destroys === null &&
      (isTrash || renewable.test(words))
    )
      return reason('irreversible', 'medium', say('hard_to_undo', { doing: doing(word) }))
    if (
      one.rule === 'irreversible' &&
      verb[0] === 'merge' &&
      /^(?:delete|remove)_?(?:source_?)?branch$/i.test(content.destroys ?? '')
    )
      return reason('irreversible', 'medium', say('hard_to_undo', { doing: doing('merge') }))
    const isNamed = one.unclear === undefined && !content.hasAmountInWords
    if (
      one.rule === 'money' &&
      isNamed &&
      content.largest !== null &&
      (producing.test(words) || producing.test(turned)) &&
      documents.test(words)
    )
      return { ...one, level: 'medium' }
    if (
      one.rule === 'production' &&
      (kind === 'read' || kind === 'search' || kind === 'compute' || readsByVerb(text))
    )
      return { ...one, level: 'medium' }
    return one
  })
}

/** Returns the rules whose reasons do not count for a request that is known to be harmless. Null: it is not known. */
function excusedRules(
  { content, isOwn, givesEmail, text }: Seen,
  kind: HarmlessKind | null,
): ReadonlySet<RiskRule> | null {
  if (kind === null || content.acts || givesEmail || content.hasUnclearAmount) return null
  // `git fetch --prune` removes only the names of branches that are gone.
  if (content.command !== null && content.command !== '--prune') return null
  const isRun = kind === 'command' || (content.hasCommand && (kind === 'test' || checking.test(text)))
  const isKnown = isRun
    ? runsHarmlessCommands(content.fields)
    : hasHarmlessParams(content, kind, isOwn) && (!content.hasCommand || content.fields.every(isNoCommand))
  if (!isKnown) return null
  const amount = content.largest === null ? 0 : size(content.largest)
  if (amount > 0 && (kind === 'book' || kind === 'switch' || kind === 'test')) return null
  if (amount >= highAmount && kind === 'read') return null
  return excusedOf
}
/** Actions that name what their command is for. */
const checking = /check|lint|test|build|preview|validate|compile|format|analy[sz]e/i
const excusedOf: ReadonlySet<RiskRule> = new Set([
  'unlisted',
  'irreversible',
  'force',
  'command',
  'money',
  'outward',
  'sensitive',
  'control',
])
