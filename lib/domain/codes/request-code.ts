/** Enqueues one-time codes, within the limits on sending (contract A, OTP). `codes.ts` spends them. */
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, nameLock, together } from '@/lib/db/transaction'
import { claimAtInsert, type FirstClaim, handOver } from '@/lib/infrastructure/events/handover'
import { type OutboxPayloads, wakeWorker } from '@/lib/infrastructure/events/outbox'
import type { Caller, Context } from '@/lib/kernel/request/context'
import type { Failure } from '@/lib/kernel/request/failures'
import { day, minute, secondsAfter, secondsUntil } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { type MailPurpose, networkKey, type SendPurpose } from './live-codes'
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
 * Enqueues a sign-in code at the end of the transaction, unless too many were sent to the address: the caller must not learn whether. Only the
 * worker that sends the mail looks up the account of the address. A known device (`deviceId`) and each network have their own limits and
 * their own codes.
 */
export function enqueueSignInCode(tx: Tx, context: Context, address: string, deviceId: string | null): void {
  const code: NewCode = { purpose: 'signin', address, ducklingId: null, deviceId }
  const message = messageOf(context, code)
  beforeCommit(tx, addressLock(code))
  beforeCommit(tx, creation(context, code, message, sql`SELECT "id" AS "messageId" FROM enqueued`), {
    changed: (_count, rows) => {
      const [created] = rows as Pick<Created, 'messageId'>[]
      sendAfterCommit(tx, message, created?.messageId ?? null)
    },
  })
}

interface NewCode {
  purpose: SendPurpose
  address: string
  ducklingId: string | null
  deviceId: string | null
}

/** Whether the account of a code exists: a sign-up may not get one. A sign-in code has none yet. */
const hasAccount = ({ ducklingId }: NewCode): Sql =>
  ducklingId === null ? sql`true` : sql`EXISTS (SELECT 1 FROM "Duckling" WHERE "id" = ${ducklingId})`

/** Locks the address of a code, so that simultaneous requests cannot exceed the limits. Nothing without its account. */
const addressLock = (code: NewCode): Sql =>
  sql`SELECT ${nameLock(`code:${code.address}`)} WHERE ${hasAccount(code)}`

/** The row of the outbox that sends a code. */
interface Message {
  kind: 'code' | 'text_code'
  payload: OutboxPayloads['code']
  /** For the worker of this process, or null. */
  claim: FirstClaim | null
}

/** The row that `creation` returns. */
interface Created {
  /** The id in the outbox. Null when no code was created. */
  messageId: bigint | null
  /** The time until which no code may be sent, or null. */
  until: Date | null
}

function messageOf({ now, requestId }: Context, { purpose }: NewCode): Message {
  const kind = purpose === 'phone' ? 'text_code' : 'code'
  return {
    kind,
    payload: { otp_id: newId('otp', now), request_id: requestId },
    claim: claimAtInsert(kind, now),
  }
}

/** Lets the worker send the message of a code that was created. */
function sendAfterCommit(tx: Tx, { kind, payload, claim }: Message, id: bigint | null): void {
  if (id === null) return
  if (claim === null) wakeWorker(tx, kind)
  else handOver(tx, { id, kind, payload, ...claim })
}

/**
 * Returns the statement that creates a code and enqueues its message, unless too many were sent or its account does not exist. It ends with
 * `answer`, which reads `pause`, with the time until which none may be sent, and `enqueued`, with the id of the message when the code was
 * created. Needs `addressLock`.
 */
function creation({ now, ip }: Context, code: NewCode, message: Message, answer: Sql): Sql {
  const { purpose, address, ducklingId, deviceId } = code
  const { kind, payload, claim } = message
  const { window, sends, dailySends } = sendsMax
  // Text messages cost money, so all who request one for a number count together.
  const requester = purpose === 'phone' ? 'everybody' : (deviceId ?? networkKey(ip))
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
      SELECT 1 FROM pause WHERE "until" IS NULL AND ${hasAccount(code)}
    ), created AS (
      INSERT INTO "OtpCode" ("id", "purpose", "address", "ducklingId", "deviceId", "requester", "createdAt")
      SELECT ${payload.otp_id}, ${purpose}::"OtpPurpose", ${address}, ${ducklingId}::text, ${deviceId}::text, ${requester}, ${now}::timestamptz
      FROM allowed
    ), enqueued AS (
      INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt", "claimedUntil", "attempts")
      SELECT ${kind}, ${JSON.stringify(payload)}::jsonb, ${now}::timestamptz, ${now}::timestamptz,
        ${claim?.claimedUntil ?? null}::timestamptz, ${claim?.attempts ?? 0}::int
      FROM allowed
      RETURNING "id"
    )
    ${answer}`
}

/**
 * Creates a code and enqueues its message, unless its account does not exist. When too many were sent, creates nothing and returns when the next
 * one may be sent, else null.
 */
async function createCode(tx: Tx, context: Context, code: NewCode): Promise<Date | null> {
  const message = messageOf(context, code)
  const answer = sql`SELECT "until", (SELECT "id" FROM enqueued) AS "messageId" FROM pause`
  const [, [created]] = await together([
    tx.run`${addressLock(code)}`,
    tx.rows<Created>`${creation(context, code, message, answer)}`,
  ])
  sendAfterCommit(tx, message, created?.messageId ?? null)
  return created?.until ?? null
}

function sendsExhausted(context: Context<Caller, 'too_many_codes_sent'>, until: Date): Failure {
  return context.fail('too_many_codes_sent', { retry_after: secondsUntil(until, context.now) })
}
