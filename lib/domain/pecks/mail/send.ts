import { db, type Tx } from '@/lib/db/client'
import { joinRow, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { mailPauseSeconds, startLaterRound } from '@/lib/domain/notifications/schedule'
import {
  announcedFrom,
  type JoinedSettings,
  type SettingsColumns,
  settingsColumns,
  settingsOf,
} from '@/lib/domain/notifications/settings'
import { firstLinesOf } from '@/lib/domain/pecks/asker-history'
import { readPecks } from '@/lib/domain/pecks/rows'
import { isPendingAt } from '@/lib/domain/pecks/state'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { Postponed } from '@/lib/infrastructure/events/outbox'
import { listedMax, type MailedPeck, peckMessage } from '@/lib/infrastructure/mail/peck-message'
import { type Reader, readerColumns, writeFor } from '@/lib/infrastructure/mail/reader'
import { type Message, sendMail } from '@/lib/infrastructure/mail/send'
import { earliest, hour, latest, secondsAfter } from '@/lib/kernel/runtime/clock'
import { isAnnounced, mailedPeck } from './announce'
import { dropOver, dropWaiting, finishMail, type MailPeck, markMail } from './batch'

type Payload = OutboxPayloads['peck_mail']

interface Target extends Reader {
  email: string | null
  round: number
  mailedAt: Date | null
  /** When the first of the waiting pecks expires. */
  firstEndsAt: Date | null
  /** Whether a peck may have to be mailed: one that is pending, or one of a mail that was begun. */
  isNeeded: boolean
  settings: SettingsColumns
}

/**
 * Mails the waiting pecks of a target: one mail for all announcements and reminders. Leaves out pecks that were decided meanwhile. Those that
 * are snoozed, or have a rejection that can be undone, wait for a later mail.
 * Throws `Postponed` until the pause after the last mail and the quiet hours are over. Called by the worker.
 */
export async function sendPeckMail({ duckling_id: ducklingId, round }: Payload, now: Date): Promise<void> {
  const target = await findTarget(ducklingId, round, now)
  if (target === null) return
  const { email, settings } = target
  if (email === null || settings.mailRequests === 'none')
    return transaction((tx) => dropWaiting(tx, ducklingId, round))
  if (!target.isNeeded && !(await transaction((tx) => dropOver(tx, ducklingId, round, now)))) return
  const allowedAt = nextAllowed(target, now)
  if (allowedAt > now) throw new Postponed(allowedAt)
  const { mailId, pending: marked } = await markMail(ducklingId, now)
  const pending = marked.filter((peck) => isWanted(peck, settings))
  const message = await readMessage(ducklingId, pending, target)
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
async function findTarget(ducklingId: string, round: number, now: Date): Promise<Target | null> {
  const [row] = await db().rows<Omit<Target, 'settings'> & JoinedSettings>`
    SELECT CASE WHEN d."emailVerifiedAt" IS NOT NULL THEN d."email" END AS "email", n."round", n."mailedAt", ${settingsColumns}, ${readerColumns},
      (SELECT min(p."expiresAt") FROM "PeckMail" m ${joinRow('Peck', 'p', 'm."peckId"')}
        WHERE m."ducklingId" = n."ducklingId" AND m."stage" IN ('announce', 'remind') AND ${isPendingAt(now, 'p')}) AS "firstEndsAt",
      EXISTS (
        SELECT 1 FROM "PeckMail" m ${joinRow('Peck', 'p', 'm."peckId"')}
        WHERE m."ducklingId" = n."ducklingId" AND m."stage" IN ('announce', 'remind') AND (m."mailId" IS NOT NULL OR ${isPendingAt(now, 'p')})
      ) AS "isNeeded"
    FROM "PeckNotice" n ${joinRow('Duckling', 'd', 'n."ducklingId"')}
    LEFT JOIN "NotificationSettings" s ON s."ducklingId" = n."ducklingId"
    WHERE n."ducklingId" = ${ducklingId} AND n."round" = ${round}`
  return row === undefined ? null : { ...row, settings: settingsOf(row) }
}

/** Returns when the target may get the next mail. */
function nextAllowed({ mailedAt, settings, firstEndsAt }: Target, now: Date): Date {
  // A time that is ahead of the clock was set by a clock that went wrong.
  const pauseEnd = mailedAt === null ? now : secondsAfter(earliest([mailedAt, now]) ?? now, mailPauseSeconds)
  return announcedFrom(settings, latest([pauseEnd, now]), { isHighOfKnown: false, restUntil: firstEndsAt })
}

const isSetAside = (peck: MailPeck): peck is MailPeck & { backAt: Date } => peck.backAt !== null

/** Whether the settings of the target announce the peck, or remind of it. */
const isWanted = (peck: MailPeck, { mailRequests, mailReminders }: SettingsColumns) =>
  isAnnounced(peck, mailRequests) && (peck.stage === 'announce' || mailReminders)

/** Returns the mail, or null when none of its pecks waits for an answer now. */
async function readMessage(
  ducklingId: string,
  pending: MailPeck[],
  reader: Target,
): Promise<Omit<Message, 'to'> | null> {
  const waiting = pending.filter((peck) => !isSetAside(peck))
  const listed = waiting.slice(0, listedMax)
  if (listed.length === 0) return null
  const ids = listed.map(({ id }) => id)
  const pecks = await readPecks(db(), sql`SELECT * FROM "Peck" WHERE "id" = ANY(${ids}::text[])`)
  const lines = await firstLinesOf(db(), ducklingId, pecks)
  const newCount = waiting.filter(({ stage }) => stage === 'announce').length
  const highCount = waiting.filter(({ riskLevel }) => riskLevel === 'high').length
  return writeFor(reader, () => {
    const mailed = listed.flatMap(({ id, stage }): MailedPeck[] => {
      const peck = pecks.find((one) => one.id === id)
      if (peck === undefined) return []
      const options = { isReminder: stage === 'remind', withValue: reader.settings.mailDetails }
      return [mailedPeck(peck, { ...options, read: lines.get(id) })]
    })
    return peckMessage(mailed, { newCount, highCount, count: waiting.length, reader })
  })
}
