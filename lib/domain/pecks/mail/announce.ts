/** Announcements of waiting pecks: each peck is announced once and, when it stays unanswered, its target is reminded once. */
import { type Display, displayOf } from '@beak/decision/display/display'
import { registrableDomain } from '@beak/decision/display/domain'
import { namedValue } from '@beak/decision/display/sort'
import type { Params } from '@beak/decision/params'
import { idTail, isolated } from '@beak/decision/person-name'
import type { Wording } from '@beak/decision/wording'
import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { gatherSeconds, schedulePeckMail, scheduleStrangersMail } from '@/lib/domain/notifications/schedule'
import { type JoinedSettings, type NotifiedRequests, quietHoursOf } from '@/lib/domain/notifications/settings'
import type { FirstRead } from '@/lib/domain/pecks/asker-history'
import { rowValuesOf } from '@/lib/domain/pecks/display/row-values'
import { type FirstLineInput, isLikeness } from '@/lib/domain/pecks/risk/first-line'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import type { MailedPeck, MailedValue } from '@/lib/infrastructure/mail/peck-message'
import { m } from '@/lib/kernel/messages'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { shownExtent } from '@/lib/kernel/text/extent'
import { shownActionBeforeName, shownRequest } from '@/lib/kernel/text/shown-action'
import { inReadersLanguage } from '@/lib/kernel/text/worded'
import { reminderTime } from './remind'

/** The columns of a peck that decide which channels tell the target about it. */
export type Filtered = Pick<PeckRow, 'requesterDucklingId' | 'targetDucklingId' | 'riskLevel'>

const filters: Record<NotifiedRequests, (peck: Filtered) => boolean> = {
  all: () => true,
  others: (peck) => peck.requesterDucklingId !== peck.targetDucklingId,
  // Older pecks have no level. A missing level must not hide a request.
  high_risk: ({ riskLevel }) => riskLevel === 'high' || riskLevel === null,
  none: () => false,
}

/** Whether a channel with that choice tells the target about the peck. */
export function isAnnounced(peck: Filtered, choice: NotifiedRequests): boolean {
  return filters[choice](peck)
}

/** What the target of a request makes of its asker. */
export type AskerStanding = 'known' | 'stranger' | 'waiting'

/** What decides whether the target gets a mail. The settings are null when the target never changed them. */
export interface MailFacts extends JoinedSettings {
  /** An unverified address may belong to another person. */
  targetVerified: boolean
  /** Whether the target has a channel beside mail. */
  hasChannels: boolean
}

/**
 * Announces a pending peck at the end of the transaction: of a known asker on the channels of its target, or with the next mail when there
 * are none. Strangers reach only the digest of the day, and those beyond the budget of strangers nothing. Does nothing when the target has
 * not verified the address, or does not want to be told about such a peck.
 */
export function announcePeck(
  tx: Tx,
  peck: PeckRow,
  facts: MailFacts,
  now: Date,
  standing: AskerStanding,
): void {
  if (standing === 'waiting' || !facts.targetVerified) return
  if (standing === 'known' && (facts.hasChannels || peck.blocked)) {
    // The worker chooses the channels. For a blocked asker it does as if.
    if (facts.hasChannels || isAnnounced(peck, facts.mailRequests ?? 'all'))
      enqueue(tx, now, 'reach', { peck_id: peck.id })
    return
  }
  mailPeck(tx, peck, facts, now, standing)
}

/** Announces a pending peck by mail. High risks of known askers are in mails of their own. Strangers are in one digest a day, without a reminder. */
export function mailPeck(
  tx: Tx,
  peck: Pick<
    PeckRow,
    'id' | 'requesterDucklingId' | 'targetDucklingId' | 'riskLevel' | 'expiresAt' | 'blocked'
  >,
  facts: JoinedSettings,
  now: Date,
  standing: Exclude<AskerStanding, 'waiting'>,
): void {
  if (peck.blocked || !isAnnounced(peck, facts.mailRequests ?? 'all')) return
  const isReminded = facts.mailReminders !== false && standing === 'known'
  const remindAt = isReminded ? reminderTime(now, peck.expiresAt, quietHoursOf(facts)) : null
  if (peck.riskLevel === 'high' && standing === 'known') {
    enqueueAlert(tx, peck, remindAt, now)
    return
  }
  const schedule = standing === 'known' ? schedulePeckMail : scheduleStrangersMail
  schedule(
    tx,
    now,
    sql`
      INSERT INTO "PeckMail" ("peckId", "ducklingId", "remindAt")
      VALUES (${peck.id}, ${peck.targetDucklingId}, ${remindAt}::timestamptz)
      ON CONFLICT ("peckId") DO NOTHING RETURNING "ducklingId"`,
  )
}

/** Announces a peck with the next mail about high risks, at the end of the transaction. `remindAt`: null for no reminder. */
function enqueueAlert(
  tx: Tx,
  { id, targetDucklingId }: Pick<PeckRow, 'id' | 'targetDucklingId'>,
  remindAt: Date | null,
  now: Date,
): void {
  beforeCommit(
    tx,
    sql`INSERT INTO "PeckMail" AS m ("peckId", "ducklingId", "stage", "remindAt")
      VALUES (${id}, ${targetDucklingId}, 'alert', ${remindAt}::timestamptz)
      ON CONFLICT ("peckId") DO UPDATE SET "stage" = 'alert', "remindAt" = EXCLUDED."remindAt" WHERE m."mailId" IS NULL`,
  )
  const payload = { duckling_id: targetDucklingId, peck_id: id }
  enqueue(tx, now, 'peck_alert', payload, secondsAfter(now, gatherSeconds))
}

/** Mails about a peck whose target snoozes it again, or brings it back. */

interface Move {
  /** Id of the peck. */
  id: string
  /** When the peck would have come back. */
  from: Date
  /** When the peck comes back now. Null: at once. */
  until: Date | null
}

/**
 * Moves the mails that wait for the end of a snooze to another end, at the end of the transaction. Otherwise a thief of a session could delay
 * a reminder until the peck expires.
 */
export function moveMail(tx: Tx, { id, from, until }: Move, now: Date): void {
  // A reminder that came due during the snooze has the end of the snooze as its time (remind.ts).
  beforeCommit(
    tx,
    sql`UPDATE "PeckMail" SET "remindAt" = ${until ?? now}::timestamptz
      WHERE "peckId" = ${id} AND "stage" = 'announced' AND "remindAt" = ${from}::timestamptz`,
  )
  // The round waits for the old end (batch.ts). Another round announces the peck now, or waits for the new end.
  schedulePeckMail(
    tx,
    now,
    sql`SELECT "ducklingId" FROM "PeckMail" WHERE "peckId" = ${id} AND "stage" = 'announce'`,
  )
}

/** Mails are plain ASCII where they can be, so there is no "…". */
const markInMail = (handle: string | null, id: string) =>
  handle === null ? m.mail_person_mark_id({ id: idTail(id) }) : `@${handle}`

interface MailOptions {
  isReminder: boolean
  /** Whether the target wants values in mails, or on this channel. */
  withValue: boolean
  /** What is read first. Undefined: nothing. */
  read: FirstRead | undefined
}

/** Whether a reason has words of the asker, or an amount. */
const hasValue = (text: string) => /[“\p{Sc}\d]/u.test(text)

/** Returns what a mail says about somebody with the name of a person whom the target knows. */
function twinOf({ wording }: FirstLineInput): { twin?: { subject: string; text: string } } {
  const { whom } = wording?.sentence === 'same_name' ? wording.values : {}
  if (typeof whom !== 'object' || whom === null || !('sentence' in whom)) return {}
  const name = inReadersLanguage({ text: '', wording: whom as Wording })
  if (name === '') return {}
  return { twin: { subject: m.mail_not_whom({ whom: name }), text: m.mail_not_whom_twin({ whom: name }) } }
}

/** Returns the first line unless it has a value that the target does not want there. Names of people are no values. */
function shownLine({ read, withValue }: MailOptions): MailedPeck['firstLine'] {
  const line = read?.line ?? null
  if (line === null) return null
  const shown = {
    text: inReadersLanguage(line),
    isLikeness: isLikeness(line),
    rule: line.wording?.sentence === 'involves_amount' ? 'amount' : line.rule,
    ...twinOf(line),
  }
  return withValue || shown.isLikeness || !hasValue(line.text) ? shown : null
}

/** Returns the values of the row in the inbox, in the current language. */
function mailedValues({ action, riskLevel }: PeckRow, display: Display, params: Params): MailedValue[] {
  return rowValuesOf({ action, riskLevel }, display, params).map((value) => {
    const { name, type, text, wording, warning, warning_wording, role = null } = value
    const isWarned = warning !== undefined
    return {
      role,
      name,
      type,
      text: inReadersLanguage({ text, ...(wording && { wording }) }),
      domain: registrableDomain(value),
      warning: isWarned
        ? inReadersLanguage({ text: warning, ...(warning_wording && { wording: warning_wording }) })
        : null,
    }
  })
}

/**
 * Returns what a mail says about a peck, in the current language. Of what the asker wrote, it has the name of an agent and the values of the row in the
 * inbox, no message and no audience.
 */
export function mailedPeck(peck: PeckRow, options: MailOptions): MailedPeck {
  const { isReminder, withValue, read } = options
  const { action, scope, grantSeconds } = peck
  const params = JSON.parse(peck.params) as Params
  const [sent, display] = [{ action, params }, displayOf(peck, params)]
  const isOwn = peck.requesterDucklingId === peck.targetDucklingId
  return {
    id: peck.id,
    person: isolated(peck.requesterFullName ?? peck.requesterName),
    personMark: markInMail(peck.requesterHandle, peck.requesterDucklingId),
    agent: peck.agentName,
    isOwnAgent: isOwn,
    isUnknown: !isOwn && read?.isFirst === true,
    action: shownRequest(sent, true),
    actionBeforeName: shownActionBeforeName(action),
    extent: shownExtent({ action, scope, grantSeconds }),
    firstLine: shownLine(options),
    values: withValue ? mailedValues(peck, display, params) : [],
    named: withValue ? (namedValue(display, sent)?.name ?? null) : null,
    isHighRisk: peck.riskLevel === 'high',
    isReminder,
    expiresAt: peck.expiresAt,
  }
}
