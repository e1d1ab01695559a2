/** The mails that inform an account about events. `notice-texts.ts` has their sentences. */
import type { NoticeName } from '@/lib/infrastructure/events/outbox'
import { m } from '@/lib/kernel/messages'
import { letter } from './letter'
import { type Facts, notices, type Times } from './notice-texts'
import type { Part } from './parts'
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
 * whose session has a page in `links` links to it.
 */
export function noticeMessage(
  notice: NoticeName,
  items: Facts[],
  { count = items.length, reader = unknownReader, links = new Map() }: NoticeOptions = {},
): Omit<Message, 'to'> {
  const { subject, event, advice } = notices[notice]
  let hasLink = false
  const events = items.map((facts): Part[] => {
    const parts = event({ ...facts, ...timesOf(facts, reader) })
    const url = links.get(facts.session ?? '')
    if (url === undefined) return [parts].flat()
    hasLink = true
    return [...[parts].flat(), { label: m.mail_not_me(), url }]
  })
  const [first] = events
  const described = count === 1 && first !== undefined ? first : severalParts(events, count)
  const aboutLink = hasLink ? [m.mail_not_me_ends_session()] : []
  return letter({ kind: notice, subject: subject(), parts: [...described, ...aboutLink, advice()] })
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
