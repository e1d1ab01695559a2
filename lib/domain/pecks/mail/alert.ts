/**
 * The mail about one request with a high risk. It is sent at once and alone: it waits for no pause and shares no mail with other requests
 * (contract F, Mail). One outbox row sends the mail of one peck.
 */
import { db, type Tx } from '@/lib/db/client'
import { joinRow, type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, transaction } from '@/lib/db/transaction'
import {
  mailPauseSeconds,
  schedulePeckMail,
  scheduleStrangersMail,
} from '@/lib/domain/notifications/schedule'
import {
  announcedFrom,
  type JoinedSettings,
  type SettingsColumns,
  settingsColumns,
  settingsOf,
} from '@/lib/domain/notifications/settings'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { backAt, isPendingAt } from '@/lib/domain/pecks/state'
import { countToday, uncount } from '@/lib/infrastructure/events/daily-count'
import { enqueue, type OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { Postponed } from '@/lib/infrastructure/events/postponed'
import { peckMessage } from '@/lib/infrastructure/mail/peck-message'
import { type Reader, readerColumns, writeFor } from '@/lib/infrastructure/mail/reader'
import { sendMail } from '@/lib/infrastructure/mail/send'
import { earliest, latest, secondsAfter } from '@/lib/kernel/clock'
import { type Filtered, isAnnounced, isOfKnown, unlessBlocked } from './filter'
import { mailedPeck } from './mailed-peck'
import { markNotified } from './notified'
import { reminderGapSeconds } from './reminder-time'

type Payload = OutboxPayloads['peck_alert']

/**
 * Mails of one asker to one target that are sent at once in a day, and of all strangers together. Further ones are in the digest, so that nobody
 * can fill a mailbox with requests of a high risk.
 */
const dailyMax = { known: 20, strangers: 3 }

/** Announces a peck with a mail of its own, at the end of the transaction. `remindAt`: null for no reminder. */
export function enqueueAlert(
  tx: Tx,
  { id, targetDucklingId }: Pick<PeckRow, 'id' | 'targetDucklingId'>,
  { remindAt, isStranger }: { remindAt: Date | null; isStranger: boolean },
  now: Date,
): void {
  if (remindAt !== null)
    beforeCommit(
      tx,
      sql`INSERT INTO "PeckMail" ("peckId", "ducklingId", "stage", "remindAt")
        VALUES (${id}, ${targetDucklingId}, 'announced', ${remindAt}::timestamptz) ON CONFLICT ("peckId") DO NOTHING`,
    )
  enqueue(tx, now, 'peck_alert', { duckling_id: targetDucklingId, peck_id: id, is_stranger: isStranger })
}

interface Alert extends Filtered, Reader {
  /** Null unless it is verified. */
  email: string | null
  settings: SettingsColumns
  isOfKnown: boolean
  /** When the peck waits for its target again, or null when it does so now. */
  backAt: Date | null
}

/**
 * Mails one peck with a high risk, unless it was decided meanwhile. Throws `Postponed` while the target has quiet hours or has snoozed the
 * peck. Called by the worker.
 */
export async function sendAlert(payload: Payload, now: Date): Promise<void> {
  const alert = await findAlert(payload.peck_id, now)
  if (alert === null || alert.email === null || !isAnnounced(alert, alert.settings.mailRequests)) return
  const allowedAt = nextAllowed(alert, now)
  // Looks again soon, because the target may change the quiet hours or bring the peck back.
  if (allowedAt > now) throw new Postponed(earliest([allowedAt, secondsAfter(now, mailPauseSeconds)]) ?? now)
  const count = countOf(payload, alert)
  if (!(await transaction((tx) => countToday(tx, count.name, count.key, count.max, now))))
    return transaction(async (tx) => moveToDigest(tx, payload, now))
  let sent = false
  try {
    await mailAlert(payload.peck_id, alert.email, alert)
    sent = true
  } finally {
    // A failed attempt must not count.
    if (!sent) await transaction((tx) => uncount(tx, count.name, count.key, now))
  }
  await transaction(async (tx) => {
    await tx.run`${withoutEarlyReminder(payload.peck_id, now)}`
    markNotified(tx, [payload.peck_id], now)
  })
}

function countOf(
  { duckling_id: target, is_stranger: isStranger }: Payload,
  { requesterDucklingId }: Alert,
): { name: 'peck_alerts'; key: string; max: number } {
  return isStranger
    ? { name: 'peck_alerts', key: target, max: dailyMax.strangers }
    : { name: 'peck_alerts', key: `${target} ${requesterDucklingId}`, max: dailyMax.known }
}

/** Returns the peck and its target, or null when the peck no longer waits or its asker was blocked. */
async function findAlert(peckId: string, now: Date): Promise<Alert | null> {
  const [row] = await db().rows<Omit<Alert, 'settings'> & JoinedSettings>`
    SELECT CASE WHEN d."emailVerifiedAt" IS NOT NULL THEN d."email" END AS "email", p."requesterDucklingId", p."targetDucklingId",
      p."riskLevel", ${backAt(now, 'p')} AS "backAt", ${isOfKnown} AS "isOfKnown", ${settingsColumns}, ${readerColumns}
    FROM "Peck" p ${joinRow('Duckling', 'd', 'p."targetDucklingId"')}
    LEFT JOIN "NotificationSettings" s ON s."ducklingId" = p."targetDucklingId"
    WHERE p."id" = ${peckId} AND ${isPendingAt(now, 'p')} AND ${unlessBlocked}`
  return row === undefined ? null : { ...row, settings: settingsOf(row) }
}

function nextAllowed({ backAt: back, settings, isOfKnown: isKnown }: Alert, now: Date): Date {
  return announcedFrom(settings, latest([back ?? now, now]), isKnown)
}

async function mailAlert(peckId: string, to: string, reader: Alert): Promise<void> {
  const [peck] = await readPecks(db(), sql`SELECT * FROM "Peck" WHERE "id" = ${peckId}`)
  if (peck === undefined) return
  const message = writeFor(reader, () => {
    const mailed = mailedPeck(peck, { isReminder: false, withValue: reader.settings.mailDetails })
    return peckMessage([mailed], { count: 1, newCount: 1, highCount: 1, reader })
  })
  // The same for each attempt, so that mail programs show a mail once that is sent again after a crash.
  await sendMail({ ...message, to, mailId: `peck-${peckId.toLowerCase()}` })
}

/** Deletes the reminder of a peck that was announced shortly before, or together with it. */
function withoutEarlyReminder(peckId: string, now: Date): Sql {
  return sql`
    DELETE FROM "PeckMail" WHERE "peckId" = ${peckId} AND "mailId" IS NULL
      AND ("stage" = 'remind' OR "remindAt" <= ${secondsAfter(now, reminderGapSeconds)}::timestamptz)`
}

/** Announces the peck with the next mail about several requests instead. */
function moveToDigest(tx: Tx, payload: Payload, now: Date): void {
  const schedule = payload.is_stranger ? scheduleStrangersMail : schedulePeckMail
  schedule(
    tx,
    now,
    sql`
      INSERT INTO "PeckMail" ("peckId", "ducklingId") VALUES (${payload.peck_id}, ${payload.duckling_id})
      ON CONFLICT ("peckId") DO UPDATE SET "stage" = 'announce' RETURNING "ducklingId"`,
  )
}

/** Called when the mail could not be sent for a day: the next mail about several requests has the peck. */
export async function giveUpAlert(tx: Tx, payload: Payload, now: Date): Promise<void> {
  moveToDigest(tx, payload, now)
}
