/**
 * The mails about waiting pecks. They say in words of the service what is asked, and link to the page where the target decides. Nothing
 * in a mail decides: opening a link only shows a page. Of what the asker wrote, they
 * have the name of an agent and at most one value, through `foreignText` and `foreignValue`.
 */
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import type { ShownExtent } from '@/lib/kernel/text/extent'
import { sentenceCase } from '@/lib/kernel/text/shown-action'
import { foreignName, foreignText, foreignValue, ownSentence, personText, reasonText } from './foreign-text'
import { letter } from './letter'
import type { Part } from './parts'
import { type Reader, timeFor } from './reader'
import type { Message } from './send'

/** A value that the asker chose. It goes through `foreignValue`. */
export interface MailedValue {
  role: 'amount' | 'recipient' | 'object' | 'other'
  /** A word of the service for what it is, such as "table". */
  word: string
  type: string
  text: string
  /** For a URL, the part of its host that its owner registered. */
  domain: string | null
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
  /** What is asked in words of the service, in the language of the reader: "send an email". */
  action: string
  /** The same before the name of its object: "delete the database". Null when its object is not one thing. */
  actionBeforeName: string | null
  extent: ShownExtent
  /** What to read first, as the decision page says it first. Null: nothing, or the target wants no values there and it has one. */
  firstLine: { text: string; isLikeness: boolean } | null
  /** The largest amount, or what the action is done to. Null when there is none, or when the target wants none there. */
  value: MailedValue | null
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

/** The subject names the owner too: a stranger's agent may have the name of a known one. */
function subjectName({ agent, person, isOwnAgent }: MailedPeck): string {
  if (agent === null) return personText(person)
  return isOwnAgent
    ? foreignName(agent)
    : m.mail_agent_of_person({ agent: foreignText(agent), person: personText(person) })
}

/** With plain quotation marks: only with ASCII characters a mail needs no transport encoding. */
const ownWords = (words: string) => ownSentence(words.replace(/[“”„«»]/g, '"'))

/** Returns who asks for what, in a sentence. */
export function sentenceOf(peck: MailedPeck, { withValue = false } = {}): string {
  const { agent, person, personMark: mark, isOwnAgent, extent } = peck
  const asked = { action: withValue ? actionWithValue(peck) : ownWords(peck.action), ...extent }
  if (agent === null) return m.mail_person_asks({ person: personText(person), mark, ...asked })
  if (isOwnAgent) return m.mail_own_agent_asks({ agent: foreignText(agent), ...asked })
  return m.mail_agent_asks({ agent: foreignText(agent), person: personText(person), mark, ...asked })
}

/** A URL is shown as the site that it leads to. */
const shownValue = ({ type, text, domain }: MailedValue) =>
  foreignValue(type === 'url' && domain !== null ? domain : text)

/** Returns the action with its value: "delete the database customers-production". */
function actionWithValue({ action, actionBeforeName, value }: MailedPeck): string {
  const words = ownWords(action)
  if (value === null) return words
  const shown = { action: words, value: shownValue(value) }
  switch (value.role) {
    case 'recipient':
      return m.mail_action_to_value(shown)
    case 'object':
      return actionBeforeName === null
        ? m.mail_action_value(shown)
        : m.mail_action_object_value({ ...shown, action: ownWords(actionBeforeName) })
    case 'other':
      return m.mail_action_word_value({ ...shown, word: m.mail_value_word(value) })
    case 'amount':
      return m.mail_action_value(shown)
  }
}

const roleNames: Record<MailedValue['role'], (() => string) | null> = {
  amount: m.mail_value_amount,
  recipient: m.mail_value_recipient,
  object: m.mail_value_object,
  other: null,
}

function valueFact(value: MailedValue): [string, string] {
  const name = roleNames[value.role]?.() ?? sentenceCase(m.mail_value_word(value))
  return [name, shownValue(value)]
}

const facts = ({ value }: MailedPeck): Part[] => (value === null ? [] : [{ facts: [valueFact(value)] }])

const deadline = ({ expiresAt }: MailedPeck, reader: Reader) => timeFor(reader, expiresAt)

/** Returns the address of the page where the target decides. */
export const peckPage = (id: string): string => `${config().baseUrl}/pecks/${encodeURIComponent(id)}`

/** The sentences about several pecks. */
const several = {
  expire: {
    subject: m.mail_subject_expire,
    subjectHigh: m.mail_subject_expire_high,
    all: m.mail_lead_expire_all,
    first: m.mail_lead_expire_first,
  },
  wait: {
    subject: m.mail_subject_wait,
    subjectHigh: m.mail_subject_wait_high,
    all: m.mail_lead_wait_all,
    first: m.mail_lead_wait_first,
  },
  new: {
    subject: m.mail_subject_new,
    subjectHigh: m.mail_subject_new_high,
    all: m.mail_lead_new_all,
    first: m.mail_lead_new_first,
  },
}

function severalOf({ count, newCount }: Mailing) {
  if (newCount === 0) return several.expire
  return newCount === count ? several.new : several.wait
}

function subjectOf([first]: MailedPeck[], mailing: Mailing): string {
  const { count, highCount: high } = mailing
  if (count === 1 && first !== undefined) return subjectOfOne(first)
  if (high === count && mailing.newCount === count) return m.mail_subject_all_high({ count })
  const { subject, subjectHigh } = severalOf(mailing)
  return high === 0 ? subject({ count }) : subjectHigh({ count, high })
}

/** Returns what is read first about a peck, prepared for a mail. */
export const firstLineText = ({ firstLine }: MailedPeck): string | null =>
  firstLine === null ? null : reasonText(firstLine.text)

/** Returns the subject of a mail about one peck. Whom the asker looks like stands before everything else. */
function subjectOfOne(peck: MailedPeck): string {
  const line = peck.firstLine?.isLikeness ? firstLineText(peck) : null
  if (line === null) return titleOf(peck, { withValue: peck.isHighRisk })
  const shown = { line, asker: subjectName(peck), action: actionWithValue(peck) }
  return peck.isReminder ? m.mail_wants_to_line_reminder(shown) : m.mail_wants_to_line(shown)
}

/** Returns who wants what, in a few words. */
export function titleOf(peck: MailedPeck, { withValue }: { withValue: boolean }): string {
  const asker = subjectName(peck)
  const action = withValue ? actionWithValue(peck) : ownWords(peck.action)
  if (peck.isHighRisk)
    return peck.isReminder
      ? m.mail_wants_to_high_risk_reminder({ asker, action })
      : m.mail_wants_to_high_risk({ asker, action })
  return peck.isReminder ? m.mail_wants_to_reminder({ asker, action }) : m.mail_wants_to({ asker, action })
}

const footer = (pecks: MailedPeck[]): Part => ({
  small: [
    ...(pecks.some(({ value }) => value !== null && /\[(?:at|[.:])\]/.test(shownValue(value)))
      ? [m.mail_written_so_that_nothing_is_link()]
      : []),
    { label: m.mail_request_settings_link(), url: `${config().baseUrl}/notifications` },
  ],
})

/** The first line, in the frame of a warning when it is one. */
function leadOf(peck: MailedPeck): Part[] {
  const line = firstLineText(peck)
  if (line === null) return []
  return [peck.isHighRisk || peck.firstLine?.isLikeness ? { warning: line } : line]
}

function aboutOne(peck: MailedPeck, reader: Reader): Part[] {
  const at = deadline(peck, reader)
  return [
    ...leadOf(peck),
    sentenceOf(peck),
    ...(peck.isHighRisk ? [{ warning: m.mail_high_risk_warning() }] : []),
    ...facts(peck),
    peck.isReminder ? m.mail_reminder_deadline_line({ at }) : m.mail_you_can_answer_until({ at }),
    { label: m.mail_see_whole_request_answer_it(), url: peckPage(peck.id) },
    footer([peck]),
  ]
}

function itemOf(peck: MailedPeck, reader: Reader): Part[] {
  const at = deadline(peck, reader)
  return [
    ...leadOf(peck),
    sentenceOf(peck),
    ...(peck.isHighRisk ? [{ warning: m.mail_high_risk() }] : []),
    ...facts(peck),
    peck.isReminder ? m.mail_expires_at_reminder({ at }) : m.mail_expires_at({ at }),
    { label: m.mail_see_it_and_answer(), url: peckPage(peck.id) },
  ]
}

function aboutSeveral(pecks: MailedPeck[], mailing: Mailing): Part[] {
  const { count, reader } = mailing
  const rest = count - pecks.length
  const { all, first } = severalOf(mailing)
  const lead = rest > 0 ? first({ count, shown: pecks.length }) : all({ count })
  const more: Part[] =
    rest > 0 ? [{ label: m.mail_more_requests_link({ count: rest }), url: `${config().baseUrl}/pecks` }] : []
  return [lead, { items: pecks.map((peck) => itemOf(peck, reader)) }, ...more, footer(pecks)]
}

/** Returns the mail about these pecks, of which it describes at most `listedMax`. */
export function peckMessage(pecks: MailedPeck[], mailing: Mailing): Omit<Message, 'to'> {
  const [first] = pecks
  const parts =
    mailing.count === 1 && first !== undefined
      ? aboutOne(first, mailing.reader)
      : aboutSeveral(pecks, mailing)
  const kind = mailing.newCount === 0 ? 'peck_reminder' : 'peck_waiting'
  return letter({ kind, subject: subjectOf(pecks, mailing), parts })
}
