/**
 * One-time codes by mail and SMS (contract A, OTP; RFC 4226's lessons on throttling apply): six digits, ten minutes, a keyed
 * hash at rest, spent by compare-and-set in the transaction that grants the result. Wrong tries are counted per account and
 * purpose before anything is compared, in one guarded statement, so that simultaneous guesses cannot exceed the allowance.
 */
import type { Tx } from '@/lib/db/client'
import { lockName } from '@/lib/db/transaction'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { record } from '@/lib/infrastructure/events/record'
import { day, hour, minute, secondsAfter, secondsUntil } from '@/lib/kernel/clock'
import type { Context } from '@/lib/kernel/context'
import { type Failure, type FailureName, fail } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import { isKeyedHash, keyedHash } from '@/lib/kernel/secrets'
import { countCodeText } from './texts'

export const codeLifetimeSeconds = 10 * minute
/** Spec silent: how long a person should wait before asking for another code. */
export const resendAfterSeconds = 30
const sendsMax = { window: 10 * minute, sends: 3, dailySends: 20 }
const triesMax = 5
const pauseAt = 10
const failuresMax = 100
/** Seconds that codes are off after that many wrong ones in a row. Then the count starts again (contract F, Wrong codes). */
const lockSeconds = day

/** What a code is sent for. */
export type SendPurpose = 'signup' | 'verify_email' | 'signin' | 'phone' | 'email_change'
/** What a code is spent on. */
export type SpendPurpose = Exclude<SendPurpose, 'signup'>

/** Codes a purpose accepts: the sign-up mail's code serves verification and, once more, sign-in. */
const accepted: Record<SpendPurpose, SendPurpose[]> = {
  verify_email: ['verify_email', 'signup'],
  signin: ['signin', 'signup'],
  phone: ['phone'],
  email_change: ['email_change'],
}

/** The purposes whose tries a newly sent code of that purpose opens again. */
export function purposesServed(sent: SendPurpose): SpendPurpose[] {
  return (Object.keys(accepted) as SpendPurpose[]).filter((purpose) => accepted[purpose].includes(sent))
}

/** The text that is hashed for a code. It contains row and account, so a hash is valid for no other code. */
const hashedText = (otpId: string, ducklingId: string, code: string) => `${otpId}:${ducklingId}:${code}`

/** Keyed hash of a code. */
export function hashCode(otpId: string, ducklingId: string, code: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(keyedHash('otp', hashedText(otpId, ducklingId, code)))
}

/**
 * Enqueues a code to an address: at most 3 in 10 minutes and 20 a day, by SMS also within the limits of text messages. Returns
 * null, or the failure when a limit is reached. `ducklingId` is null for sign-in, where only the sender finds out whether the
 * address is known.
 * A known device (`deviceId`) has its own share and its own codes.
 */
export async function requestCode(
  tx: Tx,
  context: Context,
  purpose: SendPurpose,
  address: string,
  ducklingId: string | null,
  deviceId: string | null = null,
): Promise<Failure | null> {
  const { now } = context
  await lockName(tx, `code:${address}`)
  const sent = await tx.otpCode.findMany({
    where: { address, deviceId, createdAt: { gt: secondsAfter(now, -day) } },
    orderBy: { createdAt: 'desc' },
    take: sendsMax.dailySends,
    select: { createdAt: true },
  })
  const oldestOfDay = sent[sendsMax.dailySends - 1]
  if (oldestOfDay) return exhausted(secondsAfter(oldestOfDay.createdAt, day), now)
  const oldestOfWindow = sent[sendsMax.sends - 1]
  if (oldestOfWindow && oldestOfWindow.createdAt > secondsAfter(now, -sendsMax.window)) {
    return exhausted(secondsAfter(oldestOfWindow.createdAt, sendsMax.window), now)
  }
  if (purpose === 'phone' && ducklingId !== null) {
    const refusal = await countCodeText(tx, context, ducklingId, address)
    if (refusal) return refusal
  }
  const id = newId('otp', now)
  await tx.otpCode.create({ data: { id, purpose, address, ducklingId, deviceId, createdAt: now } })
  const kind = purpose === 'phone' ? 'text_code' : 'code'
  await enqueue(tx, now, kind, { otp_id: id, request_id: context.requestId })
  return null
}

function exhausted(until: Date, now: Date): Failure {
  return fail('code_sends_exhausted', { retry_after: secondsUntil(until, now) })
}

export interface Attempt {
  purpose: SpendPurpose
  /** The account, or null for an unknown address: then `subject` keeps its count, and every step takes as long. */
  ducklingId: string | null
  /** Whose tries are counted: of the account, of the known device, or of the unknown address. */
  subject: string
  /** The known device that tries. It may also spend codes that were asked for without a device token. */
  deviceId?: string | null | undefined
  code: string
  /** Only codes sent to this address. */
  address?: string
  /** What the refusal is called outside and in the audit log. */
  failure: FailureName
  event: EventKind
}

/**
 * Tries to spend a code. Returns the address the spent code was sent to, or a failure: to be *returned* from the
 * transaction, so that the counted try stays counted. Throws where the try is not even allowed.
 */
export async function spendCode(
  tx: Tx,
  context: Context,
  attempt: Attempt,
): Promise<{ address: string } | Failure> {
  const { now } = context
  const failures = await countTry(tx, attempt, now)
  const candidates = await liveCodes(tx, attempt, now)
  const match = candidates.find(
    ({ id, codeHash }) =>
      // A code that was sent before a rotation of the secret is still good.
      codeHash !== null &&
      isKeyedHash('otp', hashedText(id, attempt.ducklingId ?? '', attempt.code), codeHash),
  )
  if (match && (await markSpent(tx, match, attempt.purpose, now))) {
    await clearGuard(tx, attempt.subject, [attempt.purpose], now)
    return { address: match.address }
  }
  await settleFailure(tx, attempt, failures, now)
  await recordFailure(tx, context, attempt, failures)
  return fail(attempt.failure, {}, 'recorded')
}

/** Counts the try before it is judged; throws 429 when none is left. Returns the wrong tries in a row, this one included. */
async function countTry(
  tx: Tx,
  { subject, purpose }: Attempt,
  now: Date,
): Promise<{ tries: number; failures: number }> {
  const rows = await tx.$queryRaw<{ tries: number; failures: number }[]>`
    INSERT INTO "OtpGuard" AS g ("subject", "purpose", "tries", "failures", "updatedAt")
    VALUES (${subject}, ${purpose}::"OtpPurpose", 1, 1, ${now}::timestamptz)
    ON CONFLICT ("subject", "purpose") DO UPDATE SET
      "tries" = CASE WHEN g."failures" < ${failuresMax} THEN g."tries" + 1 ELSE 1 END,
      "failures" = CASE WHEN g."failures" < ${failuresMax} THEN g."failures" + 1 ELSE 1 END,
      "pausedUntil" = NULL, "updatedAt" = ${now}::timestamptz
    WHERE (g."tries" < ${triesMax} OR g."failures" >= ${failuresMax}) AND (g."pausedUntil" IS NULL OR g."pausedUntil" <= ${now}::timestamptz)
    RETURNING g."tries", g."failures"`
  if (rows[0]) return rows[0]
  const guard = await tx.otpGuard.findUniqueOrThrow({ where: { subject_purpose: { subject, purpose } } })
  // Not recorded: the wrong tries are, and a refusal that costs a write would tell a known address from an unknown.
  if (guard.pausedUntil !== null && guard.pausedUntil > now) {
    const failure = guard.failures >= failuresMax ? 'code_locked' : 'code_paused'
    throw fail(failure, { retry_after: secondsUntil(guard.pausedUntil, now) }, 'recorded')
  }
  throw fail('code_tries_exhausted', { retry_after: resendAfterSeconds }, 'recorded')
}

interface LiveCode {
  id: string
  purpose: string
  address: string
  codeHash: Uint8Array | null
}

/**
 * The two newest live codes, so that a late mail still works. A known device also has the two newest of its own, which no
 * number of codes that strangers ask for can push out.
 */
async function liveCodes(tx: Tx, attempt: Attempt, now: Date): Promise<LiveCode[]> {
  const shared = await newestLiveCodes(tx, attempt, null, now)
  const { deviceId = null } = attempt
  return deviceId === null ? shared : [...(await newestLiveCodes(tx, attempt, deviceId, now)), ...shared]
}

function newestLiveCodes(
  tx: Tx,
  { purpose, subject, ducklingId, address }: Attempt,
  deviceId: string | null,
  now: Date,
): Promise<LiveCode[]> {
  return tx.otpCode.findMany({
    where: {
      ducklingId: ducklingId ?? subject,
      deviceId,
      purpose: { in: accepted[purpose] },
      deadAt: null,
      expiresAt: { gt: now },
      [fieldOf(purpose)]: null,
      ...(address === undefined ? {} : { address }),
    },
    orderBy: { createdAt: 'desc' },
    take: 2,
    select: { id: true, purpose: true, address: true, codeHash: true },
  })
}

/** A code is spent, or dead, for one purpose at a time: the sign-up code serves two, and neither may use up the other. */
const fieldOf = (purpose: SpendPurpose) => (purpose === 'signin' ? 'signinSpentAt' : 'spentAt')

/**
 * Kills the live codes of an account and purpose, those included that wait to be sent. The rows stay, because the limits of sends
 * count them.
 */
export async function killCodes(tx: Tx, ducklingId: string, purpose: SendPurpose, now: Date): Promise<void> {
  await tx.otpCode.updateMany({ where: { ducklingId, purpose, deadAt: null }, data: { deadAt: now } })
}

async function markSpent(tx: Tx, { id }: LiveCode, purpose: SpendPurpose, now: Date): Promise<boolean> {
  const field = fieldOf(purpose)
  const { count } = await tx.otpCode.updateMany({
    where: { id, deadAt: null, [field]: null },
    data: { [field]: now },
  })
  return count === 1
}

/**
 * After 5 wrong tries the live codes are dead for that purpose; after 10 in a row a pause of 15 minutes, from 15 on, every 5,
 * of an hour, at 100 of a day. The tries of a known device kill its own codes only.
 */
async function settleFailure(
  tx: Tx,
  { subject, purpose, ducklingId, deviceId = null }: Attempt,
  { tries, failures }: { tries: number; failures: number },
  now: Date,
): Promise<void> {
  if (tries >= triesMax) {
    const field = fieldOf(purpose)
    await tx.otpCode.updateMany({
      where: {
        ducklingId: ducklingId ?? subject,
        deviceId,
        purpose: { in: accepted[purpose] },
        [field]: null,
        expiresAt: { gt: now },
      },
      data: { [field]: now },
    })
  }
  if (failures >= pauseAt && failures % triesMax === 0) {
    const pauseSeconds = failures === pauseAt ? 15 * minute : failures < failuresMax ? hour : lockSeconds
    const pausedUntil = secondsAfter(now, pauseSeconds)
    await tx.otpGuard.update({ where: { subject_purpose: { subject, purpose } }, data: { pausedUntil } })
  }
}

async function recordFailure(
  tx: Tx,
  context: Context,
  attempt: Attempt,
  { tries, failures }: { tries: number; failures: number },
): Promise<void> {
  const { ducklingId, subject, event, failure, purpose } = attempt
  await record(tx, context, event, {
    concerning: [ducklingId ?? subject],
    isDryRun: ducklingId === null,
    outcome: 'denied',
    metadata: { code: 'E4006', failure, purpose, wrong_tries: failures },
  })
  if (tries === triesMax && ducklingId !== null) {
    await enqueueNotice(tx, context.now, ducklingId, 'code_failures', { at: context.now.toISOString() })
  }
}

/** Opens the tries again: after a success, a passkey sign-in, or (only the tries) when a new code has been sent. */
export async function clearGuard(
  tx: Tx,
  subjects: string | string[],
  purposes: SpendPurpose[],
  now: Date,
): Promise<void> {
  await tx.otpGuard.updateMany({
    where: { subject: { in: [subjects].flat() }, purpose: { in: purposes } },
    data: { tries: 0, failures: 0, pausedUntil: null, updatedAt: now },
  })
}
