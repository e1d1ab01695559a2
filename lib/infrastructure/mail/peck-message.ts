/**
 * The mails about waiting pecks. They say in words of the service who asks for what, with the values that the inbox shows, why that matters
 * and until when, and have one button. Nothing in a mail decides: opening a link only shows a page. Of what the asker wrote, they have the name
 * of an agent and the values with their names, through `foreignText` and `foreignValue`.
 */
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import type { ShownExtent } from '@/lib/kernel/text/extent'
import { sentenceCase } from '@/lib/kernel/text/shown-action'
import { foreignName, foreignText, ownSentence, personText, reasonText } from './foreign-text'
import { letter } from './letter'
import type { Part } from './parts'
import { actionsWithValues, type MailedValue, valueFact } from './peck-values'
import { type Reader, timeFor } from './reader'
import type { Message } from './send'

export type { MailedValue } from './peck-values'

/** What a mail says first about a peck. `rule`: which rule of the risk says it, when it is known. */
interface FirstLineOfMail {
  text: string
  isLikeness: boolean
  rule?: string
  /** What the subject and the text say instead of `text` when somebody has the name of a person whom the target knows. */
  twin?: { subject: string; text: string }
}

/** What a mail says about a peck. */
export interface MailedPeck {
  id: string
  /** The name of the person who asks, or of the person behind the agent. */
  person: string
  /** What tells the person from others with the same name: the handle, or the end of the id. */
  personMark: string
  /** The name of the agent that asks, or null. */
  agent: string | null
  /** Whether the agent belongs to the target. */
  isOwnAgent: boolean
  /** Whether the target has approved nothing of the asker so far. */
  isUnknown: boolean
  /** What is asked in words of the service, in the language of the reader: "send an email". */
  action: string
  /** The same before the name of its object: "delete the database". Null when its object is not one thing. */
  actionBeforeName: string | null
  extent: ShownExtent
  /** What to read first, as the decision page says it first. Null: nothing, or the target wants no values there and it has one. */
  firstLine: FirstLineOfMail | null
  /** The values of its row in the inbox, in the same order. None when the target wants none there. */
  values: MailedValue[]
  /** The name of the value that says most: the largest amount, or what the action is done to. Null when several do equally. */
  named: string | null
  isHighRisk: boolean
  isReminder: boolean
  expiresAt: Date
}

/** What a mail says about all its pecks. */
interface Mailing {
  /** Number of pecks, also of those that are only counted. */
  count: number
  /** How many of them are announced and not only mentioned again. */
  newCount: number
  /** How many of them have a high risk. */
  highCount: number
  reader: Reader
}

/** Pecks that a mail describes one by one. */
export const listedMax = 10

/** A longer subject is cut by programs on phones. */
const subjectMax = 80
/** A phone shows about so much of a notification. */
const sentenceMax = 200

/** Returns the first text that is not longer than `max`. The last one is shortened when none is. */
export function fitting(texts: string[], max = subjectMax): string {
  const fits = texts.find((text) => [...text].length <= max)
  if (fits !== undefined) return fits
  return `${[...(texts.at(-1) ?? '')]
    .slice(0, max - 1)
    .join('')
    .trimEnd()}…`
}

/** Who asks, in a few words. With the owner of an agent: a stranger's agent may have the name of a known one. */
function askerName({ agent, person, isOwnAgent }: MailedPeck): string {
  if (agent === null) return personText(person)
  return isOwnAgent
    ? foreignName(agent)
    : m.mail_agent_of_person({ agent: foreignText(agent), person: personText(person) })
}

/** With plain quotation marks: only with ASCII characters a mail needs no transport encoding. */
const ownWords = (words: string) => ownSentence(words.replace(/[“”„«»]/g, '"'))

/** Returns who asks and what tells the asker from others: "your agent", or the handle, and that the reader does not know the asker. */
export function askerOf(peck: MailedPeck): string {
  const asker = markedAsker(peck)
  return peck.isUnknown ? m.mail_unknown_marked_asker({ asker }) : asker
}

function markedAsker(peck: MailedPeck): string {
  const { agent, personMark: mark, isOwnAgent } = peck
  const person = personText(peck.person)
  if (isOwnAgent && agent !== null) return m.mail_own_agent({ agent: foreignName(agent) })
  return agent === null
    ? m.mail_person({ person, mark })
    : m.mail_agent_of_marked_person({ agent: foreignText(agent), person, mark })
}

/** Returns the action with as many values as there is room for, the longest text first. */
function wishes({ action, actionBeforeName, values, named }: MailedPeck): string[] {
  const words = { action: ownWords(action), actionBeforeName: actionBeforeName && ownWords(actionBeforeName) }
  return actionsWithValues({ ...words, values, named })
}

/** Returns what is read first about a peck, prepared for a mail. */
export const firstLineText = ({ firstLine }: MailedPeck): string | null =>
  firstLine === null ? null : reasonText(firstLine.text)

/** Returns who wants what, with the values for which a subject has room. Whom the asker looks like stands before everything else. */
export function titleOf(peck: MailedPeck): string {
  const asker = askerName(peck)
  const line = peck.firstLine?.isLikeness ? firstLineText(peck) : null
  const all = wishes(peck)
  if (line !== null) return fitting(likenessTitles(peck, line, all))
  // The short form has room for one value more.
  return fitting(
    all.flatMap((action) =>
      [m.mail_wants_to, m.mail_short_wish].map((write) =>
        begin(peck, lastingWish(peck, write({ asker, action }))),
      ),
    ),
  )
}

/** A permission that lasts must not read like one for one time. */
const lastingWish = ({ extent }: MailedPeck, wish: string) =>
  extent.extent === 'standing' ? m.mail_standing_wish({ wish }) : wish

/** With the risk when there is room for it. */
function likenessTitles(peck: MailedPeck, line: string, all: string[]): string[] {
  const asker = askerName(peck)
  const withLine = (first: string) => (wish: string) =>
    peck.isReminder
      ? m.mail_line_wish_reminder({ line: first, wish })
      : m.mail_line_wish({ line: first, wish })
  const long = all.map((action) => m.mail_wants_to({ asker, action }))
  const plain = [...long, ...all.map(sentenceCase)].map(withLine(line))
  if (!peck.isHighRisk) return plain
  const risky = [...long, ...all].map((wish) => m.mail_high_risk_wish({ wish }))
  const short = peck.firstLine?.twin?.subject
  return [
    ...risky.map(withLine(line)),
    ...(short === undefined ? [] : risky.map(withLine(reasonText(short)))),
    ...plain,
  ]
}

function begin({ isHighRisk, isReminder, isUnknown }: MailedPeck, wish: string): string {
  if (isHighRisk)
    return isReminder ? m.mail_high_risk_wish_reminder({ wish }) : m.mail_high_risk_wish({ wish })
  if (isReminder) return m.mail_wish_reminder({ wish })
  return isUnknown ? m.mail_unknown_asker({ asker: wish }) : wish
}

/** Returns who asks, as exactly as `askerOf`, and for what, in one sentence. */
export const sentenceOf = (peck: MailedPeck): string =>
  fitting(
    wishes(peck).map((action) => m.mail_wants_to({ asker: askerOf(peck), action })),
    sentenceMax,
  )

/** Returns the address of the page where the target decides. */
export const peckPage = (id: string): string => `${config().baseUrl}/pecks/${encodeURIComponent(id)}`

/** Returns the first line of the text of a mail. Null for an amount or an end that the mail says elsewhere. */
function lineInText(peck: MailedPeck): string | null {
  const { firstLine, values, isHighRisk, extent } = peck
  if (firstLine?.twin !== undefined) return reasonText(firstLine.twin.text)
  if (firstLine?.rule === 'standing' && extent.extent === 'standing') return null
  const isInRow = values.some(({ type, text }) => type === 'money' && firstLine?.text.includes(text))
  if (firstLine?.rule !== 'amount' || !isInRow) return firstLineText(peck)
  return isHighRisk ? m.mail_large_amount() : null
}

/** The first line, in the frame of a warning when it is one. */
function whyOf(peck: MailedPeck): Part[] {
  const line = lineInText(peck)
  if (line !== null) return [peck.isHighRisk || peck.firstLine?.isLikeness ? { warning: line } : line]
  return peck.isHighRisk ? [{ warning: m.mail_high_risk() }] : []
}

const extents: Record<ShownExtent['extent'], (values: { lifetime: string }) => string> = {
  once: m.mail_extent_once,
  timed: m.mail_extent_timed,
  standing: m.mail_extent_standing,
  test: m.mail_extent_test,
  favour: m.mail_extent_favour,
}

const untilFact = ({ expiresAt }: MailedPeck, reader: Reader): [string, string] => [
  m.mail_answer_by(),
  timeFor(reader, expiresAt),
]

/** The red frame does not exist in plain text, so the danger is in the words as well. */
function headlineOf(peck: MailedPeck): string {
  const wish = m.mail_wants_to({ asker: askerName(peck), action: ownWords(peck.action) })
  return peck.isHighRisk ? m.mail_high_risk_wish({ wish }) : wish
}

function aboutOne(peck: MailedPeck, reader: Reader): Part[] {
  const { extent, values } = peck
  return [
    ...(peck.isReminder ? [m.mail_still_waiting({ at: timeFor(reader, peck.expiresAt) })] : []),
    ...(extent.extent === 'standing' ? [m.mail_standing_note()] : []),
    ...whyOf(peck),
    { heading: headlineOf(peck) },
    {
      facts: [
        [m.mail_asked_by(), askerOf(peck)],
        ...values.map(valueFact),
        [m.mail_if_you_approve(), extents[extent.extent](extent)],
        untilFact(peck, reader),
      ],
    },
    { label: m.mail_open_request(), url: peckPage(peck.id) },
    settingsLink(),
  ]
}

const settingsLink = (): Part => ({
  small: [{ label: m.mail_change_notifications(), url: `${config().baseUrl}/notifications` }],
})

function itemOf(peck: MailedPeck, reader: Reader): Part[] {
  return [
    ...whyOf(peck),
    { title: headlineOf(peck), url: peckPage(peck.id) },
    // That the reader does not know the asker stands above all such items.
    {
      facts: [[m.mail_asked_by(), markedAsker(peck)], ...peck.values.map(valueFact), untilFact(peck, reader)],
    },
  ]
}

/** The sentences about several pecks. */
const several = {
  expire: { subject: m.mail_subject_expire, high: m.mail_subject_expire_high },
  wait: { subject: m.mail_subject_wait, high: m.mail_subject_wait_high },
  new: { subject: m.mail_subject_new, high: m.mail_subject_new_high },
}

function subjectOf(pecks: MailedPeck[], { count, newCount, highCount: high }: Mailing): string {
  const [first] = pecks
  if (count === 1 && first !== undefined) return titleOf(first)
  if (pecks.every(({ isUnknown }) => isUnknown) && pecks.length === count)
    return high === 0 ? m.mail_subject_strangers({ count }) : m.mail_subject_strangers_high({ count, high })
  if (high === count && newCount === count) return m.mail_subject_all_high({ count })
  const words = several[newCount === 0 ? 'expire' : newCount === count ? 'new' : 'wait']
  return high === 0 ? words.subject({ count }) : words.high({ count, high })
}

/** People whom the target does not know are apart, below the others. */
function aboutSeveral(pecks: MailedPeck[], { count, reader }: Mailing): Part[] {
  const known = pecks.filter(({ isUnknown }) => !isUnknown)
  const unknown = pecks.filter(({ isUnknown }) => isUnknown)
  const items = (some: MailedPeck[], start: number): Part[] =>
    some.length === 0 ? [] : [{ items: some.map((peck) => itemOf(peck, reader)), start }]
  const rest = count - pecks.length
  return [
    ...items(known, 1),
    ...(unknown.length === 0 ? [] : [{ heading: m.mail_people_you_dont_know() }]),
    ...items(unknown, known.length + 1),
    ...(rest > 0 ? [m.mail_more_requests({ count: rest })] : []),
    { label: m.mail_open_inbox(), url: `${config().baseUrl}/pecks` },
    settingsLink(),
  ]
}

/** Returns the mail about these pecks, of which it describes at most `listedMax`. */
export function peckMessage(pecks: MailedPeck[], mailing: Mailing): Omit<Message, 'to'> {
  const [first] = pecks
  const parts =
    mailing.count === 1 && first !== undefined
      ? aboutOne(first, mailing.reader)
      : aboutSeveral(pecks, mailing)
  const kind = mailing.newCount === 0 ? 'peck_reminder' : 'peck_waiting'
  return letter({ kind, subject: subjectOf(pecks, mailing), parts, reader: mailing.reader })
}
