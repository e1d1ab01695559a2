/**
 * The mails about waiting pecks. They say in words of the service what is asked, and link to the page where the target decides. Nothing
 * in a mail decides: opening a link only shows a page. They contain no text of the asker except an agent's name, through `foreignText`.
 */
import { config } from '@/lib/kernel/config'
import { localTime } from '@/lib/kernel/time-zone'
import { foreignText, ownSentence, personText } from './foreign-text'
import { time } from './notice'
import type { Message } from './send'

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
  /** What is asked in words of the service: "send an email". */
  action: string
  /** The same with how often and how long: "send an email, once, within 24 hours of the approval". */
  sentence: string
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
  /** The time zone of the target, or null when it is unknown. */
  timeZone: string | null
}

/** Pecks that a mail describes one by one. */
export const listedMax = 10

/** The subject names the owner too: a stranger's agent may have the name of a known one. */
function subjectName({ agent, person, isOwnAgent }: MailedPeck): string {
  if (agent === null) return personText(person)
  return isOwnAgent ? foreignText(agent) : `${foreignText(agent)} of ${personText(person)}`
}

function asker({ agent, person, personMark, isOwnAgent }: MailedPeck): string {
  const marked = `${personText(person)} (${personMark})`
  if (agent === null) return marked
  return `${foreignText(agent)}, ${isOwnAgent ? 'your agent' : `an agent of ${marked}`},`
}

/** With plain quotation marks: only with ASCII characters a mail needs no transport encoding. */
const ownWords = (words: string) => ownSentence(words.replace(/[“”]/g, '"'))

const sentenceOf = (peck: MailedPeck) => `${asker(peck)} wants to ${ownWords(peck.sentence)}.`

function deadline({ expiresAt }: MailedPeck, timeZone: string | null): string {
  return timeZone === null ? time(expiresAt.toISOString()) : localTime(expiresAt, timeZone)
}

const pageOf = ({ id }: MailedPeck) => `${config().baseUrl}/pecks/${id}`

const waiting = (count: number, newCount: number) =>
  `${count}${newCount === count ? ' new' : ''} requests wait`

function subjectOf(pecks: MailedPeck[], { count, newCount }: Mailing): string {
  const [first] = pecks
  if (count > 1 || first === undefined)
    return newCount === 0
      ? `${count} requests will expire soon`
      : `${waiting(count, newCount)} for your answer`
  const wish = `${subjectName(first)} wants to ${ownWords(first.action)}`
  return first.isReminder ? `Reminder: ${wish}` : wish
}

const footer = () =>
  `Opening a link does not answer a request. If you are signed out, sign in first. Then the request opens.\n\nChoose which requests we mail you about, and when:\n\n${config().baseUrl}/notifications\n`

function aboutOne(peck: MailedPeck, timeZone: string | null): string {
  const lines = [
    sentenceOf(peck),
    ...(peck.isHighRisk ? ['This request has a high risk. Read it closely.'] : []),
    `${peck.isReminder ? 'This request still waits for your answer. It expires on' : 'You can answer it until'} ${deadline(peck, timeZone)}.`,
    `See the whole request and answer it:`,
    pageOf(peck),
    footer(),
  ]
  return lines.join('\n\n')
}

function itemOf(peck: MailedPeck, index: number, timeZone: string | null): string {
  const risk = peck.isHighRisk ? ' High risk.' : ''
  const words = peck.isReminder ? 'Reminder: expires' : 'Expires'
  return `${index + 1}. ${sentenceOf(peck)}${risk} ${words} ${deadline(peck, timeZone)}.\n\n${pageOf(peck)}`
}

function aboutSeveral(pecks: MailedPeck[], { count, newCount, timeZone }: Mailing): string {
  const rest = count - pecks.length
  const all =
    newCount === 0
      ? `${count} requests still wait for your answer and will expire soon`
      : `${waiting(count, newCount)} for your answer`
  const lead = rest > 0 ? `${all}. These ${pecks.length} expire first:` : `${all}:`
  const items = pecks.map((peck, index) => itemOf(peck, index, timeZone))
  const more = rest > 0 ? [`And ${rest} more. See all of them:`, `${config().baseUrl}/pecks`] : []
  return [lead, ...items, ...more, footer()].join('\n\n')
}

/** Returns the mail about these pecks, of which it describes at most `listedMax`. */
export function peckMessage(pecks: MailedPeck[], mailing: Mailing): Omit<Message, 'to'> {
  const [first] = pecks
  const text =
    mailing.count === 1 && first !== undefined
      ? aboutOne(first, mailing.timeZone)
      : aboutSeveral(pecks, mailing)
  const kind = mailing.newCount === 0 ? 'peck_reminder' : 'peck_waiting'
  return { kind, subject: subjectOf(pecks, mailing), text }
}
