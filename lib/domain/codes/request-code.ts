/** Enqueues one-time codes, within the limits on sending (contract A, OTP). `codes.ts` spends them. */
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, nameLock } from '@/lib/db/transaction'
import { type OutboxPayloads, wakeWorker } from '@/lib/infrastructure/events/outbox'
import { day, minute, secondsAfter, secondsUntil } from '@/lib/kernel/clock'
import type { Caller, Context } from '@/lib/kernel/context'
import type { Failure } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import type { MailPurpose, SendPurpose } from './purposes'
import { networkKey } from './requester'
import { countCodeText } from './texts'

/** For each pair of an address and a requester. */
const sendsMax = { window: 10 * minute, sends: 3, dailySends: 20 }
/** The most codes to an address in a day that networks request. Known devices have a limit of their own (`countDeviceUse`). */
const dailySendsOfAll = 60

/**
 * Enqueues a code by mail. Throws `too_many_codes_sent` when the address got 3 codes in 10 minutes or 20 in a day from this network, or 60
 * in a day from all.
 */
export async function requestCode(
  tx: Tx,
  context: Context<Caller, 'too_many_codes_sent'>,
  purpose: MailPurpose,
  address: string,
  ducklingId: string,
): Promise<void> {
  const until = await enqueueCode(tx, context, purpose, address, ducklingId)
  if (until !== null) throw sendsExhausted(context, until)
}

/**
 * Enqueues a code by SMS to a phone number. Throws `too_many_codes_sent` as `requestCode` does, or `too_many_text_messages` when a limit
 * of text messages is reached.
 */
export async function requestTextCode(
  tx: Tx,
  context: Context<Caller, 'too_many_codes_sent' | 'too_many_text_messages'>,
  number: string,
  ducklingId: string,
): Promise<void> {
  const until = await createCode(tx, context, {
    purpose: 'phone',
    address: number,
    ducklingId,
    deviceId: null,
  })
  if (until !== null) throw sendsExhausted(context, until)
  await countCodeText(tx, context, ducklingId, number)
}

/**
 * Enqueues a code by mail, and returns null. When too many were sent to the address, enqueues nothing and returns when the next one
 * may be sent. Can be called together with the statement that creates the account.
 */
export function enqueueCode(
  tx: Tx,
  context: Context,
  purpose: MailPurpose,
  address: string,
  ducklingId: string,
): Promise<Date | null> {
  return createCode(tx, context, { purpose, address, ducklingId, deviceId: null })
}

/**
 * Enqueues a sign-in code at the end of the transaction, unless too many were sent to the address: the caller must not learn which. Only the
 * worker that sends the mail looks up the account of the address. A known device (`deviceId`) and each network have their own limits and
 * their own codes.
 */
export function enqueueSignInCode(tx: Tx, context: Context, address: string, deviceId: string | null): void {
  beforeCommit(tx, sql`SELECT ${addressLock(address)}`)
  beforeCommit(tx, creation(context, { purpose: 'signin', address, ducklingId: null, deviceId }), {
    changed: (pauses) => {
      if (pauses === 0) wakeWorker(tx, 'code')
    },
  })
}

interface NewCode {
  purpose: SendPurpose
  address: string
  ducklingId: string | null
  deviceId: string | null
}

/** Locks an address, so that simultaneous requests cannot exceed the limits. */
const addressLock = (address: string) => nameLock(`code:${address}`)

const kindOf = (purpose: SendPurpose) => (purpose === 'phone' ? 'text_code' : 'code')

/**
 * Returns the statement that creates a code and enqueues its message. When too many were sent, it creates nothing and returns one row, with the
 * time when the next one may be sent. Without its account, which a sign-up may not get, it creates nothing either. Needs `addressLock`.
 */
function creation({ now, requestId, ip }: Context, { purpose, address, ducklingId, deviceId }: NewCode): Sql {
  const id = newId('otp', now)
  const { window, sends, dailySends } = sendsMax
  // Text messages cost money, so all who request one for a number count together.
  const requester = purpose === 'phone' ? 'everybody' : (deviceId ?? networkKey(ip))
  const payload: OutboxPayloads['code'] = { otp_id: id, request_id: requestId }
  return sql`
    WITH sent AS (
      SELECT array_agg("createdAt" ORDER BY "createdAt" DESC) FILTER (WHERE coalesce("requester", "deviceId") = ${requester}) AS "times",
        array_agg("createdAt" ORDER BY "createdAt" DESC) FILTER (WHERE "deviceId" IS NULL) AS "ofNetworks"
      FROM "OtpCode" WHERE "address" = ${address} AND "createdAt" > ${secondsAfter(now, -day)}::timestamptz
    ), pause AS (
      SELECT CASE
        WHEN ${deviceId}::text IS NULL AND "ofNetworks"[${dailySendsOfAll}::int] IS NOT NULL
          THEN "ofNetworks"[${dailySendsOfAll}::int] + interval '1 day'
        WHEN "times"[${dailySends}::int] IS NOT NULL THEN "times"[${dailySends}::int] + interval '1 day'
        WHEN "times"[${sends}::int] > ${secondsAfter(now, -window)}::timestamptz THEN "times"[${sends}::int] + ${window}::int * interval '1 second'
      END AS "until" FROM sent
    ), allowed AS (
      SELECT 1 FROM pause WHERE "until" IS NULL
        AND (${ducklingId}::text IS NULL OR EXISTS (SELECT 1 FROM "Duckling" WHERE "id" = ${ducklingId}))
    ), created AS (
      INSERT INTO "OtpCode" ("id", "purpose", "address", "ducklingId", "deviceId", "requester", "createdAt")
      SELECT ${id}, ${purpose}::"OtpPurpose", ${address}, ${ducklingId}::text, ${deviceId}::text, ${requester}, ${now}::timestamptz
      FROM allowed
    ), enqueued AS (
      INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt")
      SELECT ${kindOf(purpose)}, ${JSON.stringify(payload)}::jsonb, ${now}::timestamptz, ${now}::timestamptz
      FROM allowed
    )
    SELECT "until" FROM pause WHERE "until" IS NOT NULL`
}

/** Creates a code and enqueues its message, and returns null. When too many were sent, returns when the next one may be sent. */
async function createCode(tx: Tx, context: Context, code: NewCode): Promise<Date | null> {
  const [, [pause]] = await Promise.all([
    tx.run`SELECT ${addressLock(code.address)}`,
    tx.rows<{ until: Date }>`${creation(context, code)}`,
  ])
  if (pause === undefined) wakeWorker(tx, kindOf(code.purpose))
  return pause?.until ?? null
}

function sendsExhausted(context: Context<Caller, 'too_many_codes_sent'>, until: Date): Failure {
  return context.fail('too_many_codes_sent', { retry_after: secondsUntil(until, context.now) })
}
