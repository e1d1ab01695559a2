import { db, type Tx } from '@/lib/db/client'
import { joinRow, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { afterQuiet } from '@/lib/domain/notifications/quiet-hours'
import { mailPauseSeconds, startLaterRound } from '@/lib/domain/notifications/schedule'
import {
  type JoinedSettings,
  quietHoursOf,
  type SettingsColumns,
  settingsColumns,
  settingsOf,
} from '@/lib/domain/notifications/settings'
import { readPecks } from '@/lib/domain/pecks/rows'
import { backAt, isPendingAt } from '@/lib/domain/pecks/state'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { Postponed } from '@/lib/infrastructure/events/postponed'
import { listedMax, type MailedPeck, peckMessage } from '@/lib/infrastructure/mail/peck-message'
import { type Message, sendMail } from '@/lib/infrastructure/mail/send'
import { hour, latest, secondsAfter } from '@/lib/kernel/clock'
import { dropWaiting, finishMail, markMail } from './batch'
import { type Filtered, isAnnounced } from './filter'
import { mailedPeck } from './mailed-peck'

type Payload = OutboxPayloads['peck_mail']

interface Target {
  email: string | null
  round: number
  mailedAt: Date | null
  settings: SettingsColumns
}

/**
 * Mails the waiting pecks of a target: one mail for all announcements and reminders. Leaves out pecks that were decided meanwhile. Those that
 * are snoozed, or have a rejection that can be undone, wait for a later mail.
 * Throws `Postponed` until the pause after the last mail and the quiet hours are over. Called by the worker.
 */
export async function sendPeckMail({ duckling_id: ducklingId, round }: Payload, now: Date): Promise<void> {
  const target = await findTarget(ducklingId, round)
  if (target === null) return
  const { email, settings } = target
  if (email === null || settings.mailRequests === 'none')
    return transaction((tx) => dropWaiting(tx, ducklingId, round))
  const allowedAt = nextAllowed(target, now)
  if (allowedAt > now) throw new Postponed(allowedAt)
  const mailId = await markMail(ducklingId)
  const pending = mailId === null ? [] : await readPending(ducklingId, mailId, settings, now)
  const message = await readMessage(pending, settings)
  if (message !== null && mailId !== null) await sendMail({ ...message, to: email, mailId })
  const sentAt = message === null ? null : now
  const setAside = pending.filter(isSetAside)
  const hasMore = await finishMail({ ducklingId, round, mailId, sentAt, setAside }, now)
  if (hasMore) throw new Postponed(sentAt === null ? now : secondsAfter(now, mailPauseSeconds))
}

/** Seconds after which another round tries to send a mail that could not be sent for a day. */
const laterRoundSeconds = 12 * hour

/**
 * Called when a mail could not be sent for a day. The waiting pecks are mailed with the next request to the target, or by a later round
 * when there is no such request.
 */
export async function giveUpPeckMail(tx: Tx, { duckling_id, round }: Payload, now: Date): Promise<void> {
  startLaterRound(tx, now, { ducklingId: duckling_id, round, dueAt: secondsAfter(now, laterRoundSeconds) })
}

/** Returns the target of a mail, or null when a later round sends its pecks. The address is null unless it is verified. */
async function findTarget(ducklingId: string, round: number): Promise<Target | null> {
  const [row] = await db().rows<Omit<Target, 'settings'> & JoinedSettings>`
    SELECT CASE WHEN d."emailVerifiedAt" IS NOT NULL THEN d."email" END AS "email", n."round", n."mailedAt", ${settingsColumns}
    FROM "PeckNotice" n ${joinRow('Duckling', 'd', 'n."ducklingId"')}
    LEFT JOIN "NotificationSettings" s ON s."ducklingId" = n."ducklingId"
    WHERE n."ducklingId" = ${ducklingId} AND n."round" = ${round}`
  return row === undefined ? null : { ...row, settings: settingsOf(row) }
}

/** Returns when the target may get the next mail. */
function nextAllowed({ mailedAt, settings }: Target, now: Date): Date {
  const pauseEnd = mailedAt === null ? now : secondsAfter(mailedAt, mailPauseSeconds)
  return afterQuiet(latest([pauseEnd, now]), quietHoursOf(settings))
}

interface PendingPeck extends Filtered {
  id: string
  stage: 'announce' | 'remind'
  /** When the peck waits for its target again, or null when it does so now. */
  backAt: Date | null
}

const isSetAside = (peck: PendingPeck): peck is PendingPeck & { backAt: Date } => peck.backAt !== null

/** Returns the pecks of a mail that are still pending, the ones that expire first at the start. */
async function readPending(
  ducklingId: string,
  mailId: string,
  settings: SettingsColumns,
  now: Date,
): Promise<PendingPeck[]> {
  const rows = await db().rows<PendingPeck>`
    SELECT p."id", m."stage", p."requesterDucklingId", p."targetDucklingId", p."riskLevel", ${backAt(now, 'p')} AS "backAt"
    FROM "PeckMail" m ${joinRow('Peck', 'p', 'm."peckId"')}
    WHERE m."ducklingId" = ${ducklingId} AND m."stage" IN ('announce', 'remind') AND m."mailId" = ${mailId}
      AND NOT p."blocked" AND ${isPendingAt(now, 'p')}
      AND NOT EXISTS (SELECT 1 FROM "PeckBlock" b
        WHERE b."ducklingId" = p."targetDucklingId" AND b."blockedDucklingId" = p."requesterDucklingId")
    ORDER BY p."expiresAt", p."id"`
  return rows.filter(
    (row) => isAnnounced(row, settings.mailRequests) && (row.stage === 'announce' || settings.mailReminders),
  )
}

/** Returns the mail, or null when none of its pecks waits for an answer now. */
async function readMessage(
  pending: PendingPeck[],
  settings: SettingsColumns,
): Promise<Omit<Message, 'to'> | null> {
  const waiting = pending.filter((peck) => !isSetAside(peck))
  const listed = waiting.slice(0, listedMax)
  if (listed.length === 0) return null
  const ids = listed.map(({ id }) => id)
  const pecks = await readPecks(db(), sql`SELECT * FROM "Peck" WHERE "id" = ANY(${ids}::text[])`)
  const mailed = listed.flatMap(({ id, stage }): MailedPeck[] => {
    const peck = pecks.find((one) => one.id === id)
    return peck === undefined ? [] : [mailedPeck(peck, stage === 'remind')]
  })
  const newCount = waiting.filter(({ stage }) => stage === 'announce').length
  return peckMessage(mailed, { newCount, count: waiting.length, timeZone: settings.timeZone })
}
