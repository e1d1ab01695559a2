/** Mails the notices that were enqueued (contract F, Mail). Called by the worker. */
import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import type { NoticeName, OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { Postponed, pauseOf, unknownSeconds } from '@/lib/infrastructure/events/outbox'
import { isKnownNotice, noticeMessage, noticeUrgency } from '@/lib/infrastructure/mail/notice'
import { type Reader, readerColumns, unknownReader, writeFor } from '@/lib/infrastructure/mail/reader'
import { sendMail } from '@/lib/infrastructure/mail/send'
import { writeUnsolicited } from '@/lib/infrastructure/mail/unsolicited'
import { earliest, secondsAfter } from '@/lib/kernel/runtime/clock'
import { makeDisownLinks } from './disown-session'

type Facts = Record<string, string>

/**
 * Mails all collected events of a notice in one mail, or, with `facts`, only that event. Sends nothing to a closed account or an
 * unverified address. Throws `Postponed` when a limit does not allow the mail yet.
 */
export async function sendNotice(
  { duckling_id, notice, facts }: OutboxPayloads['notice'],
  now: Date,
): Promise<void> {
  requireKnown(notice, now)
  const account = await findAccount(duckling_id, notice)
  if (account === null) return
  const { to, reader } = account
  if (facts === undefined) return sendCollected(account, notice, now)
  if (to !== null)
    await mailNotice(to, { notice, items: [facts], count: 1, ducklingId: duckling_id, reader }, now)
}

/** Mails a notice to a given address. Throws `Postponed` when the address has received its daily maximum. */
export async function sendLetter(
  { to, notice, facts, reader = unknownReader }: OutboxPayloads['letter'],
  now: Date,
): Promise<void> {
  requireKnown(notice, now)
  await mailNotice(to, { notice, items: [facts], count: 1, ducklingId: null, reader }, now)
}

/** Throws `Postponed` for a notice of a newer version, whose worker sends it. */
function requireKnown(notice: string, now: Date): void {
  if (!isKnownNotice(notice)) throw new Postponed(secondsAfter(now, unknownSeconds))
}

interface Account {
  ducklingId: string
  /** The address. Null when it may not get this notice: an unverified address may belong to another person. */
  to: string | null
  reader: Reader
  /** The events that were collected for the notice. Null: there are none. */
  collected: Collected | null
}

async function findAccount(ducklingId: string, notice: NoticeName): Promise<Account | null> {
  const [row] = await db().rows<
    Reader & { to: string | null; items: Facts[] | null; count: number | null; mailedAt: Date | null }
  >`
    SELECT CASE WHEN d."emailVerifiedAt" IS NOT NULL OR ${notice} = 'signup_attempt' THEN d."email" END AS "to", ${readerColumns},
      n."items", n."count", n."mailedAt"
    FROM "Duckling" d LEFT JOIN "NotificationSettings" s ON s."ducklingId" = d."id"
    LEFT JOIN "Notice" n ON n."ducklingId" = d."id" AND n."kind" = ${notice}
    WHERE d."id" = ${ducklingId}`
  if (row === undefined) return null
  const { to, items, count, mailedAt, ...reader } = row
  const collected = items === null || count === null || count === 0 ? null : { items, count, mailedAt }
  return { ducklingId, to, reader, collected }
}

interface Described {
  notice: NoticeName
  items: Facts[]
  count: number
  reader: Reader
  /** The account. Null for a letter to another address, which has no links. */
  ducklingId: string | null
}

async function mailNotice(to: string, described: Described, now: Date): Promise<void> {
  // Mails about waiting pecks have their own limit (PeckNotice).
  if (described.notice === 'peck_waiting') return sendMail({ ...write(described), to })
  await writeUnsolicited(to, noticeUrgency(described.notice), now, async () => {
    const { ducklingId, items } = described
    const sessionIds = [...new Set(items.flatMap(({ session }) => session || []))]
    if (ducklingId === null || sessionIds.length === 0) return write(described)
    const named = { ducklingId, address: to, sessionIds }
    return write(described, await makeDisownLinks(db(), named, now))
  })
}

function write({ notice, items, count, reader }: Described, links?: ReadonlyMap<string, string>): NoticeMail {
  return writeFor(reader, () => noticeMessage(notice, items, { count, reader, links }))
}

type NoticeMail = ReturnType<typeof noticeMessage>

interface Collected {
  items: Facts[]
  count: number
  mailedAt: Date | null
}

async function sendCollected(
  { ducklingId, to, reader, collected }: Account,
  notice: NoticeName,
  now: Date,
): Promise<void> {
  if (collected === null) return
  if (to === null) return discardNotice(db(), { duckling_id: ducklingId, notice })
  const { items, count, mailedAt } = collected
  // A time that is ahead of the clock was set by a clock that went wrong.
  const allowedAt = mailedAt === null ? now : secondsAfter(earliest([mailedAt, now]) ?? now, pauseOf(notice))
  // Happens after a crash between sending the mail and finishing the outbox row.
  if (allowedAt > now) throw new Postponed(allowedAt)
  await mailNotice(to, { notice, items, count, ducklingId, reader }, now)
  const waiting = await transaction((tx) => removeSent(tx, { ducklingId, notice, ...collected }, now))
  if (waiting > 0) throw new Postponed(secondsAfter(now, pauseOf(notice)))
}

/**
 * Removes the mailed events and keeps those that were added meanwhile. Returns how many events are left. Does nothing when another
 * worker has mailed the same events, which can happen when a slow mail server outlasts the worker's claim.
 */
async function removeSent(
  tx: Tx,
  sent: Collected & { ducklingId: string; notice: NoticeName },
  now: Date,
): Promise<number> {
  const [row] = await tx.rows<{ count: number }>`
    UPDATE "Notice" SET
      "count" = "count" - ${sent.count}::int,
      "items" = (
        SELECT coalesce(jsonb_agg(item ORDER BY position), '[]'::jsonb)
        FROM jsonb_array_elements("items") WITH ORDINALITY AS e (item, position) WHERE position > ${sent.items.length}::int
      ),
      "mailedAt" = ${now}::timestamptz
    WHERE "ducklingId" = ${sent.ducklingId} AND "kind" = ${sent.notice} AND "count" >= ${sent.count}::int
      AND "mailedAt" IS NOT DISTINCT FROM ${sent.mailedAt}::timestamptz
    RETURNING "count"`
  return row?.count ?? 0
}

/** Deletes the collected events of a mail that cannot be sent. The next event starts a new collection. */
export async function discardNotice(
  tx: Tx,
  { duckling_id, notice, facts }: OutboxPayloads['notice'],
): Promise<void> {
  // An outbox row with its own facts does not use the collection.
  if (facts !== undefined) return
  await tx.notice.updateMany({
    where: { ducklingId: duckling_id, kind: notice },
    data: { count: 0, items: [] },
  })
}
