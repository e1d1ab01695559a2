/** The mails that inform an account about events. `notice-texts.ts` has their sentences. */

import type { NoticeName } from '@/lib/infrastructure/events/outbox'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { letter } from './letter'
import { notices } from './notice-texts'
import type { Part } from './parts'
import { askerOf, firstLineText, type MailedPeck, sentenceOf, titleOf } from './peck-message'
import { type Reader, timeFor, unknownReader, zonedTimeFor } from './reader'
import type { Facts, SeveralTexts, Times } from './rule-notices'
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
 * Returns the mail about `count` events of one kind. `items` are the facts of the first events, which the mail describes one by one. When a session
 * made them, the button opens the page that ends this session without a sign-in or, when `links` has none, the sessions of the account. In a mail about
 * several sessions each event has a link to that page.
 */
export function noticeMessage(
  notice: NoticeName,
  items: Facts[],
  { count = items.length, reader = unknownReader, links = new Map() }: NoticeOptions = {},
): Omit<Message, 'to'> {
  const { subject, event, advice, open, several = happened } = notices[notice]
  const shown = items.map((facts) => ({ ...facts, ...timesOf(facts, reader) }))
  const [first] = shown
  const sessions = new Set(items.flatMap(({ session }) => session || []))
  const isOneSession = sessions.size === 1 && items.every(({ session }) => session)
  const [button = open === undefined ? notMe(undefined) : undefined] = [...sessions].map((session) =>
    notMe(links.get(session)),
  )
  const opened = open === undefined || sessions.size > 0 ? [] : shown.map(open)
  const isOnePage = new Set(opened.map(({ url }) => url)).size === 1
  const events = shown.map((facts, index): Part[] => {
    const parts = [event(facts)].flat()
    const { session } = facts as Facts
    const link = session ? notMe(links.get(session)) : opened[index]
    return isOneSession || isOnePage || link === undefined ? parts : [...parts, { ...link, isLink: true }]
  })
  const isOne = count === 1 && first !== undefined
  const toDo = advice?.(isOne ? first : undefined)
  const end = (): Part[] => {
    if (sessions.size === 0 && open !== undefined)
      return [...(toDo === undefined ? [] : [toDo]), ...(isOnePage ? opened.slice(0, 1) : [])]
    if (sessions.size > 1 || button === undefined) return [joined(m.mail_not_me_several_advice(), toDo)]
    return [joined(adviceOf(button), toDo), button]
  }
  return letter({
    reader,
    kind: notice,
    subject: subject(isOne ? first : undefined),
    parts: [...(isOne ? (events[0] ?? []) : severalParts(events, count, several)), ...end()],
  })
}

const joined = (...sentences: (string | undefined)[]) => sentences.filter(Boolean).join(' ')

/** The link that ends a session. Without `url` it opens the list of the sessions. */
const notMe = (url: string | undefined) =>
  url === undefined
    ? { label: m.mail_not_me_signed_in(), url: `${config().baseUrl}/security#sessions` }
    : { label: m.mail_not_me(), url }

const adviceOf = ({ url }: { url: string }) =>
  url.endsWith('/security#sessions') ? m.mail_not_me_sign_in_advice() : m.mail_not_me_advice()

/** Returns the times among the facts in words. */
function timesOf(facts: Facts, reader: Reader): Times {
  const words = (at: string | undefined) =>
    at === undefined ? m.mail_unknown_time() : timeFor(reader, new Date(at))
  return { at: words(facts.at), due: words(dueOf(facts)), made_at: words(facts.made_at) }
}

/** An approver is removed a day after somebody asked for it. */
const dueOf = ({ change, at, due }: Facts) =>
  change === 'approver_removal_requested' && at !== undefined
    ? secondsAfter(new Date(at), day).toISOString()
    : due

const happened: SeveralTexts = {
  none: m.mail_happened_times,
  all: m.mail_happened_times_all,
  first: m.mail_happened_times_first,
}

function severalParts(events: Part[][], count: number, texts: SeveralTexts): Part[] {
  if (events.length === 0) return [texts.none({ count })]
  const lead = events.length < count ? texts.first({ count, shown: events.length }) : texts.all({ count })
  return [lead, { items: events }]
}

/** The short form of `peckMessage`, for channels that show a title and a sentence. Text of others is quoted and has no links. */

/** What a channel says. */
export interface NoteTexts {
  /** What to read first. Null: nothing, or the title says it. */
  firstLine: string | null
  title: string
  text: string
}

/** Returns the texts of a note about one peck. Whom the asker looks like is its title, because some channels show little more. */
export function peckNote(peck: MailedPeck, reader: Reader): NoteTexts {
  const at = zonedTimeFor(reader, peck.expiresAt)
  const line = firstLineText(peck)
  if (line !== null && peck.firstLine?.isLikeness)
    return { firstLine: null, title: line, text: m.channels_wish_until({ wish: sentenceOf(peck), at }) }
  const text = m.channels_asked_until({ asker: askerOf(peck), at })
  return { firstLine: line, title: titleOf(peck), text }
}

/** Returns the texts of a note about more requests than may ring one by one. */
export const severalNote = (count: number): NoteTexts => ({
  firstLine: null,
  title: m.channels_several_title({ count: String(count) }),
  text: m.channels_several_text(),
})
