/** The mails that inform an account about events. `notice-texts.ts` has their sentences. */

import type { NoticeName } from '@/lib/infrastructure/events/outbox'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { letter } from './letter'
import { type Facts, notices, type Times } from './notice-texts'
import type { Part } from './parts'
import { firstLineText, type MailedPeck, sentenceOf, titleOf } from './peck-message'
import { type Reader, timeFor, unknownReader } from './reader'
import type { Message } from './send'
import type { MailUrgency } from './unsolicited'

/** Whether this version can write a notice. A newer one may have enqueued it. */
export function isKnownNotice(notice: string): boolean {
  return Object.hasOwn(notices, notice)
}

/** Returns the urgency of a notice, which decides its share of the mails of a day. */
export function noticeUrgency(notice: NoticeName): MailUrgency {
  return notices[notice].urgency
}

interface NoticeOptions {
  /** How many events there were. */
  count?: number
  reader?: Reader
  /** The pages that end sessions, by the id of the session. */
  links?: ReadonlyMap<string, string> | undefined
}

/**
 * Returns the mail about `count` events of one kind. `items` are the facts of the first events, which the mail describes one by one. An event
 * of a session links to the page that ends the session without a sign-in or, when `links` has none, to the sessions of the account.
 */
export function noticeMessage(
  notice: NoticeName,
  items: Facts[],
  { count = items.length, reader = unknownReader, links = new Map() }: NoticeOptions = {},
): Omit<Message, 'to'> {
  const { subject, event, advice } = notices[notice]
  const aboutLinks = new Set<string>()
  const events = items.map((facts): Part[] => {
    const parts = event({ ...facts, ...timesOf(facts, reader) })
    if (!facts.session) return [parts].flat()
    const url = links.get(facts.session)
    aboutLinks.add(url === undefined ? m.mail_not_me_signed_in_what() : m.mail_not_me_ends_session())
    const link =
      url === undefined
        ? { label: m.mail_not_me_signed_in(), url: `${config().baseUrl}/security#sessions` }
        : { label: m.mail_not_me(), url }
    return [...[parts].flat(), link]
  })
  const [first] = events
  const described = count === 1 && first !== undefined ? first : severalParts(events, count)
  return letter({ kind: notice, subject: subject(), parts: [...described, ...aboutLinks, advice()] })
}

/** Returns the times among the facts in words. */
function timesOf(facts: Facts, reader: Reader): Times {
  const words = (at: string | undefined) =>
    at === undefined ? m.mail_unknown_time() : timeFor(reader, new Date(at))
  return { at: words(facts.at), due: words(facts.due), made_at: words(facts.made_at) }
}

function severalParts(events: Part[][], count: number): Part[] {
  if (events.length === 0) return [m.mail_happened_times({ count })]
  const lead =
    events.length < count
      ? m.mail_happened_times_first({ count, shown: events.length })
      : m.mail_happened_times_all({ count })
  return [lead, { items: events }]
}

/** The short form of `peckMessage`, for channels that show a title and a sentence. Text of others is quoted and has no links. */

const risks = { high: m.channels_risk_high, medium: m.channels_risk_medium, low: m.channels_risk_low }

/** What a channel says. */
export interface NoteTexts {
  /** What to read first. Null: nothing, or the title says it. */
  firstLine: string | null
  title: string
  text: string
}

/** Returns the texts of a note about one peck. Whom the asker looks like is its title, because some channels show little more. */
export function peckNote(peck: MailedPeck, risk: keyof typeof risks | null): NoteTexts {
  const words = risk === null ? '' : ` ${risks[risk]()}`
  const line = firstLineText(peck)
  // The title has no place for the value then, so the sentence has it.
  if (line !== null && peck.firstLine?.isLikeness)
    return { firstLine: null, title: line, text: `${sentenceOf(peck, { withValue: true })}${words}` }
  return { firstLine: line, title: titleOf(peck, { withValue: true }), text: `${sentenceOf(peck)}${words}` }
}

/** Returns the texts of a note about more requests than may ring one by one. */
export const severalNote = (count: number): NoteTexts => ({
  firstLine: null,
  title: m.channels_several_title({ count: String(count) }),
  text: m.channels_several_text(),
})
