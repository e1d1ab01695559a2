/** Enqueues one-time codes, within the limits on sending (contract A, OTP). `codes.ts` spends them. */
import type { Tx } from '@/lib/db/client'
import { lockName } from '@/lib/db/transaction'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { day, minute, secondsAfter, secondsUntil } from '@/lib/kernel/clock'
import type { Caller, Context } from '@/lib/kernel/context'
import type { Failure } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import type { MailPurpose, SendPurpose } from './codes'
import { countCodeText } from './texts'

const sendsMax = { window: 10 * minute, sends: 3, dailySends: 20 }

/**
 * Enqueues a code by mail. Throws `too_many_codes_sent` when 3 codes in 10 minutes or 20 in a day were sent to the address
 * already.
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
 * may be sent. `ducklingId` is null for sign-in, where only the worker that sends the mail looks up the account of the address.
 * A known device (`deviceId`) has its own limits and its own codes.
 */
export function enqueueCode(
  tx: Tx,
  context: Context,
  purpose: MailPurpose,
  address: string,
  ducklingId: string | null,
  deviceId: string | null = null,
): Promise<Date | null> {
  return createCode(tx, context, { purpose, address, ducklingId, deviceId })
}

interface NewCode {
  purpose: SendPurpose
  address: string
  ducklingId: string | null
  deviceId: string | null
}

/**
 * Creates a code and enqueues its message, and returns null. When too many were sent, creates nothing and returns when the next one may
 * be sent. Locks the address, so that simultaneous requests cannot exceed the limits.
 */
async function createCode(
  tx: Tx,
  { now, requestId }: Context,
  { purpose, address, ducklingId, deviceId }: NewCode,
): Promise<Date | null> {
  const id = newId('otp', now)
  const { window, sends, dailySends } = sendsMax
  const [, [created]] = await Promise.all([
    lockName(tx, `code:${address}`),
    tx.rows<{ pausedUntil: Date | null }>`
      WITH sent AS (
        SELECT array_agg("createdAt" ORDER BY "createdAt" DESC) AS "times" FROM "OtpCode"
        WHERE "address" = ${address} AND "deviceId" IS NOT DISTINCT FROM ${deviceId}::text AND "createdAt" > ${secondsAfter(now, -day)}::timestamptz
      ), pause AS (
        SELECT CASE
          WHEN "times"[${dailySends}::int] IS NOT NULL THEN "times"[${dailySends}::int] + interval '1 day'
          WHEN "times"[${sends}::int] > ${secondsAfter(now, -window)}::timestamptz THEN "times"[${sends}::int] + ${window}::int * interval '1 second'
        END AS "until" FROM sent
      ), created AS (
        INSERT INTO "OtpCode" ("id", "purpose", "address", "ducklingId", "deviceId", "createdAt")
        SELECT ${id}, ${purpose}::"OtpPurpose", ${address}, ${ducklingId}::text, ${deviceId}::text, ${now}::timestamptz
        FROM pause WHERE "until" IS NULL
      )
      SELECT "until" AS "pausedUntil" FROM pause`,
  ])
  const pausedUntil = created?.pausedUntil ?? null
  if (pausedUntil !== null) return pausedUntil
  enqueue(tx, now, purpose === 'phone' ? 'text_code' : 'code', { otp_id: id, request_id: requestId })
  return null
}

function sendsExhausted(context: Context<Caller, 'too_many_codes_sent'>, until: Date): Failure {
  return context.fail('too_many_codes_sent', { retry_after: secondsUntil(until, context.now) })
}
