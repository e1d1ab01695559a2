/**
 * Mails about requests with a high risk of askers that the target knows. The first mail gathers requests for ten seconds. Further ones wait until a
 * minute after it, and are in one mail then (contract F, Mail). They wait for no other pause, and share no mail with requests of a lower risk.
 *
 * Each peck has an outbox row and a row of `PeckMail`. The outbox row that runs first marks all waiting pecks with the id of one mail and
 * commits, and owns the mail: only this row sends it, also again after a crash, with the same Message-ID. The others find nothing to do afterwards.
 */
import { db, type Tx } from '@/lib/db/client'
import { joinRow, type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { mailPauseSeconds, schedulePeckMail } from '@/lib/domain/notifications/schedule'
import {
  announcedFrom,
  type JoinedSettings,
  type SettingsColumns,
  settingsColumns,
  settingsOf,
} from '@/lib/domain/notifications/settings'
import { firstLinesOf } from '@/lib/domain/pecks/asker-history'
import { readPecks } from '@/lib/domain/pecks/rows'
import { backAt, isPendingAt } from '@/lib/domain/pecks/state'
import { countToday } from '@/lib/infrastructure/events/handover'
import { type OutboxPayloads, Postponed } from '@/lib/infrastructure/events/outbox'
import { listedMax, peckMessage } from '@/lib/infrastructure/mail/peck-message'
import { type Reader, readerColumns, writeFor } from '@/lib/infrastructure/mail/reader'
import { type Message, sendMail } from '@/lib/infrastructure/mail/send'
import { earliest, latest, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { randomSecret } from '@/lib/kernel/secrets/secrets'
import { type Filtered, isAnnounced, mailedPeck } from './announce'
import { isOfKnown, markNotified, unlessBlocked } from './batch'
import { reminderGapSeconds } from './remind'

type Payload = OutboxPayloads['peck_alert']

/**
 * Mails to one target a day that the requests of one asker begin. Further requests are in the digest, so that nobody can fill a mailbox with requests of a
 * high risk.
 */
const dailyMax = 20

/** Seconds between two mails about high risks to one target. */
export const alertPauseSeconds = minute

interface Alert extends Filtered, Reader {
  id: string
  /** Null unless it is verified. */
  email: string | null
  settings: SettingsColumns
  isOfKnown: boolean
  /** When the peck waits for its target again, or null when it does so now. */
  backAt: Date | null
}

/**
 * Mails a peck with a high risk and all others that wait for such a mail, unless they were decided meanwhile. Throws `Postponed` while the
 * target has quiet hours or has snoozed the peck, and until a minute after the last of these mails. Called by the worker.
 */
export async function sendAlert(payload: Payload, now: Date): Promise<void> {
  const mailId = await transaction((tx) => beginMail(tx, payload, now))
  if (mailId === null) return
  const marked = await readAlerts(
    sql`p."id" IN (SELECT "peckId" FROM "PeckMail"
    WHERE "ducklingId" = ${payload.duckling_id} AND "stage" = 'alert' AND "mailId" = ${mailId})`,
    now,
  )
  const wanted = marked.filter(isWanted)
  const [setAside, mailed] = [wanted.filter(isLater(now)), wanted.filter((alert) => !isLater(now)(alert))]
  const [reader] = mailed
  if (reader !== undefined) await sendMail({ ...(await writeMail(mailed, reader)), to: reader.email, mailId })
  await transaction((tx) => finishMail(tx, { ...payload, mailId, setAside, mailed }, now))
  const own = setAside.find(({ id }) => id === payload.peck_id)
  if (own !== undefined) throw new Postponed(lookAgainAt(own, now))
}

type WantedAlert = Alert & { email: string }

/** Whether the target has an address and wants mails about such a peck. */
const isWanted = (alert: Alert): alert is WantedAlert =>
  alert.email !== null && isAnnounced(alert, alert.settings.mailRequests)

const isLater = (now: Date) => (alert: Alert) => nextAllowed(alert, now) > now

/** Soon, because the target may change the quiet hours or bring the peck back. */
const lookAgainAt = (alert: Alert, now: Date): Date =>
  earliest([nextAllowed(alert, now), secondsAfter(now, mailPauseSeconds)]) ?? now

/** The ids of the mails that the outbox row of a peck owns begin with this. */
const ownedBy = (peckId: string) => `peck-${peckId.toLowerCase()}-`

/**
 * Marks all pecks of the target that wait for a mail about high risks as one mail. Returns its id, or null when the outbox row has nothing
 * to send. A mail that the row has begun before is returned again.
 */
async function beginMail(tx: Tx, payload: Payload, now: Date): Promise<string | null> {
  const { duckling_id: ducklingId, peck_id: peckId } = payload
  const ofTarget = sql`"ducklingId" = ${ducklingId} AND "stage" = 'alert'`
  const [alert] = await readAlerts(sql`p."id" = ${peckId}`, now, tx)
  // One outbox row of a target at a time.
  const [notice] = await tx.rows<{ alertedAt: Date | null }>`
    INSERT INTO "PeckNotice" ("ducklingId") SELECT "ducklingId" FROM "PeckMail" WHERE "peckId" = ${peckId}
    ON CONFLICT ("ducklingId") DO UPDATE SET "ducklingId" = EXCLUDED."ducklingId" RETURNING "alertedAt"`
  const rows = await tx.rows<{ peckId: string; mailId: string | null }>`
    SELECT "peckId", "mailId" FROM "PeckMail" WHERE ${ofTarget} AND ("peckId" = ${peckId} OR "mailId" IS NOT NULL)`
  const begun = rows.find((row) => row.mailId !== null)?.mailId ?? null
  if (begun?.startsWith(ownedBy(peckId))) return begun
  if (!rows.some((row) => row.peckId === peckId)) return null
  if (alert === undefined || !isWanted(alert)) {
    await tx.run`DELETE FROM "PeckMail" WHERE ${ofTarget} AND "peckId" = ${peckId} AND "mailId" IS NULL`
    return null
  }
  if (isLater(now)(alert)) throw new Postponed(lookAgainAt(alert, now))
  if (begun !== null) throw new Postponed(secondsAfter(now, alertPauseSeconds))
  // A time that is ahead of the clock was set by a clock that went wrong.
  const alertedAt = earliest([notice?.alertedAt ?? new Date(0), now]) ?? now
  const allowedAt = secondsAfter(alertedAt, alertPauseSeconds)
  if (allowedAt > now) throw new Postponed(allowedAt)
  if (!(await countToday(tx, 'peck_alerts', `${ducklingId} ${alert.requesterDucklingId}`, dailyMax, now))) {
    moveToDigest(tx, payload, now)
    return null
  }
  const mailId = `${ownedBy(peckId)}${randomSecret(8).toLowerCase()}`
  await tx.run`UPDATE "PeckMail" SET "mailId" = ${mailId} WHERE ${ofTarget}`
  await tx.run`UPDATE "PeckNotice" SET "alertedAt" = ${now}::timestamptz WHERE "ducklingId" = ${ducklingId}`
  return mailId
}

/**
 * Returns the pecks of the condition that still wait and whose asker is not blocked, each with its target. The first ones of each asker come first, so that no asker can
 * push those of others out of the list of a mail.
 */
async function readAlerts(condition: Sql, now: Date, tx: Tx = db()): Promise<Alert[]> {
  const rows = await tx.rows<Omit<Alert, 'settings'> & JoinedSettings>`
    SELECT p."id", CASE WHEN d."emailVerifiedAt" IS NOT NULL THEN d."email" END AS "email", p."requesterDucklingId", p."targetDucklingId",
      p."riskLevel", ${backAt(now, 'p')} AS "backAt", ${isOfKnown} AS "isOfKnown", ${settingsColumns}, ${readerColumns}
    FROM "Peck" p ${joinRow('Duckling', 'd', 'p."targetDucklingId"')}
    LEFT JOIN "NotificationSettings" s ON s."ducklingId" = p."targetDucklingId"
    WHERE ${condition} AND ${isPendingAt(now, 'p')} AND ${unlessBlocked}
    ORDER BY row_number() OVER (PARTITION BY p."askerId" ORDER BY p."expiresAt", p."id"), p."expiresAt", p."id"`
  return rows.map((row) => ({ ...row, settings: settingsOf(row) }))
}

function nextAllowed({ backAt: back, settings, isOfKnown: isKnown }: Alert, now: Date): Date {
  return announcedFrom(settings, latest([back ?? now, now]), { isHighOfKnown: isKnown, restUntil: null })
}

async function writeMail(mailed: Alert[], reader: Alert): Promise<Omit<Message, 'to'>> {
  const ids = mailed.slice(0, listedMax).map(({ id }) => id)
  const pecks = await readPecks(db(), sql`SELECT * FROM "Peck" WHERE "id" = ANY(${ids}::text[])`)
  const lines = await firstLinesOf(db(), reader.targetDucklingId, pecks)
  const count = mailed.length
  return writeFor(reader, () => {
    const listed = ids.flatMap((id) => {
      const peck = pecks.find((one) => one.id === id)
      if (peck === undefined) return []
      const options = { isReminder: false, withValue: reader.settings.mailDetails }
      return [mailedPeck(peck, { ...options, read: lines.get(id) })]
    })
    return peckMessage(listed, { count, newCount: count, highCount: count, reader })
  })
}

interface Finished extends Payload {
  mailId: string
  mailed: Alert[]
  /** The pecks of the mail that wait for a later one. Their outbox rows send it. */
  setAside: Alert[]
}

/** Records that the pecks of a mail are announced. A reminder shortly after the mail would only repeat it. */
async function finishMail(
  tx: Tx,
  { mailId, mailed, setAside, ...payload }: Finished,
  now: Date,
): Promise<void> {
  const ofMail = sql`"ducklingId" = ${payload.duckling_id} AND "stage" = 'alert' AND "mailId" = ${mailId}`
  const [mailedIds, laterIds] = [mailed.map(({ id }) => id), setAside.map(({ id }) => id)]
  if (mailed.length > 0)
    await tx.run`UPDATE "PeckNotice" SET "alertedAt" = ${now}::timestamptz WHERE "ducklingId" = ${payload.duckling_id}`
  await tx.run`UPDATE "PeckMail" SET "mailId" = NULL WHERE ${ofMail} AND "peckId" = ANY(${laterIds}::text[])`
  await tx.run`
    UPDATE "PeckMail" SET "stage" = 'announced', "mailId" = NULL
    WHERE ${ofMail} AND "peckId" = ANY(${mailedIds}::text[]) AND "remindAt" > ${secondsAfter(now, reminderGapSeconds)}::timestamptz`
  await tx.run`DELETE FROM "PeckMail" WHERE ${ofMail}`
  markNotified(tx, mailedIds, now)
}

/** Announces the peck, and those of a mail that its outbox row has begun, with the next mail about several requests instead. */
function moveToDigest(tx: Tx, { duckling_id: ducklingId, peck_id: peckId }: Payload, now: Date): void {
  schedulePeckMail(
    tx,
    now,
    sql`
      UPDATE "PeckMail" SET "stage" = 'announce', "mailId" = NULL
      WHERE "ducklingId" = ${ducklingId} AND "stage" = 'alert' AND ("peckId" = ${peckId} OR starts_with("mailId", ${ownedBy(peckId)}))
      RETURNING "ducklingId"`,
  )
}

/** Called when the mail could not be sent for a day: the next mail about several requests has its pecks. */
export async function giveUpAlert(tx: Tx, payload: Payload, now: Date): Promise<void> {
  moveToDigest(tx, payload, now)
}
