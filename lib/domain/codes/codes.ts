/**
 * One-time codes by mail and SMS (contract A, OTP; RFC 4226, section 7.3 on throttling): six digits, valid for ten minutes, stored as
 * a keyed hash. A code is spent by a guarded update at the end of the transaction that grants the result. Tries are counted for each subject and
 * purpose before the code is compared, in one guarded statement, so simultaneous guesses cannot exceed the limit.
 */
import type { Tx } from '@/lib/db/client'
import { Overtaken } from '@/lib/db/conflict'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, required } from '@/lib/db/transaction'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { record } from '@/lib/infrastructure/events/record'
import type { Caller, Context } from '@/lib/kernel/request/context'
import type { Failure, FailureName } from '@/lib/kernel/request/failures'
import { day, hour, minute, secondsAfter, secondsUntil } from '@/lib/kernel/runtime/clock'
import { isKeyedHash, keyedHash, previousKeyedHash } from '@/lib/kernel/secrets/secrets'
import {
  accepted,
  fieldOf,
  type LiveCode,
  liveCodes,
  type SendPurpose,
  type Spender,
  type SpendPurpose,
  spentColumns,
} from './live-codes'

export const codeLifetimeSeconds = 10 * minute
/** How long a person should wait before requesting another code. */
export const resendAfterSeconds = 30
const triesMax = 5
const pauseAt = 10
/**
 * Wrong codes in a row after which codes are locked. Then the count starts again (contract F, Wrong codes). Sign-in counts each requester
 * of an account, the other purposes count the account, whose owner is signed in.
 */
const failuresMax = (purpose: SpendPurpose) => (purpose === 'signin' ? 20 : 100)
/** The same over all networks together, within a day. */
const failuresOfNetworksMax = 60
/** How long codes are locked. */
const lockSeconds = day

/** Returns the text that is hashed for a code. It contains the row and the account, so a hash is valid for this code only. */
const hashedText = (otpId: string, ducklingId: string, code: string) => `${otpId}:${ducklingId}:${code}`

/** Returns the keyed hash of a code. */
export function hashCode(otpId: string, ducklingId: string, code: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(keyedHash('otp', hashedText(otpId, ducklingId, code)))
}

/** What `spendCode` throws when no try is left. */
export type NoTriesFailure = 'too_many_wrong_codes' | 'code_paused' | 'code_locked'

export interface Attempt<F extends FailureName = FailureName> extends Spender {
  code: string
  /** The failure for a wrong code, and its name in the audit log. */
  failure: F
  event: EventKind
}

/**
 * Tries to spend a code. Returns the address that the code was sent to, or the failure for a wrong code. The caller must *return* this
 * failure from the transaction, so that the count of the try is committed. Throws `NoTriesFailure` when no try is left.
 *
 * The code is spent at the end, or with the next `flush`. A command that locks the account afterwards calls `flush` before: the undo of
 * an email change locks a code before its account, too. So does a command that revokes codes of the same purpose.
 */
export async function spendCode<F extends FailureName>(
  tx: Tx,
  context: Context<Caller, NoInfer<F> | NoTriesFailure>,
  attempt: Attempt<F>,
): Promise<{ address: string } | Failure> {
  const { now } = context
  const { codes, ...failures } = await countTry(tx, context, attempt)
  const match = codes.find(
    ({ id, codeHash }) =>
      // Also accepts a code that was sent before the secret was rotated.
      codeHash !== null &&
      isKeyedHash(
        'otp',
        hashedText(id, attempt.ducklingId ?? '', attempt.code),
        Buffer.from(codeHash, 'hex'),
      ),
  )
  if (match) {
    spendAtEnd(tx, match, attempt, now)
    return { address: match.address }
  }
  await limitTries(tx, attempt, failures, now)
  recordFailure(tx, context, attempt, failures)
  return context.fail(attempt.failure, {}, 'recorded')
}

interface Counted {
  /** Wrong tries since the last code, and in a row, this one included. */
  tries: number
  failures: number
  /** The live codes, which are read in the same statement. */
  codes: LiveCode[]
}

/** Counts a try before the code is compared, for all networks together first. Throws when no try is left. */
async function countTry(
  tx: Tx,
  context: Context<Caller, NoTriesFailure>,
  attempt: Attempt,
): Promise<Counted> {
  const { now } = context
  const { subject, purpose, network } = attempt
  const lockAt = failuresMax(purpose)
  const [networks, isAllowed] =
    network === undefined
      ? [sql``, sql`true`]
      : [
          sql`networks AS (${countOfNetworks(attempt, network.account, now)}),`,
          sql`EXISTS (SELECT 1 FROM networks)`,
        ]
  const [row] = await tx.rows<Counted & { tries: number | null; isAllowed: boolean }>`
    WITH ${networks} counted AS (
      INSERT INTO "OtpGuard" AS g ("subject", "account", "purpose", "tries", "failures", "updatedAt")
      SELECT ${subject}, ${network?.account ?? null}::text, ${purpose}::"OtpPurpose", 1, 1, ${now}::timestamptz WHERE ${isAllowed}
      ON CONFLICT ("subject", "purpose") DO UPDATE SET
        "tries" = CASE WHEN g."failures" < ${lockAt} THEN g."tries" + 1 ELSE 1 END,
        "failures" = CASE WHEN g."failures" < ${lockAt} THEN g."failures" + 1 ELSE 1 END,
        "pausedUntil" = NULL, "updatedAt" = ${now}::timestamptz
      WHERE (g."tries" < ${triesMax} OR g."failures" >= ${lockAt}) AND (g."pausedUntil" IS NULL OR g."pausedUntil" <= ${now}::timestamptz)
      RETURNING g."tries", g."failures"
    )
    SELECT ${isAllowed} AS "isAllowed", (SELECT "tries" FROM counted) AS "tries", (SELECT "failures" FROM counted) AS "failures",
      (${liveCodes(attempt, now)}) AS "codes"`
  if (row?.isAllowed && row.tries !== null)
    return { tries: row.tries, failures: row.failures, codes: row.codes }
  throw await noTriesFailure(
    tx,
    context,
    row?.isAllowed === false ? (network?.account ?? subject) : subject,
    attempt,
  )
}

/** Returns the statement that counts a try for all networks together. It returns no row when they have no try left. */
function countOfNetworks({ purpose }: Attempt, account: string, now: Date): Sql {
  const isRecent = sql`g."updatedAt" > ${secondsAfter(now, -day)}::timestamptz`
  return sql`
    INSERT INTO "OtpGuard" AS g ("subject", "purpose", "failures", "updatedAt")
    VALUES (${account}, ${purpose}::"OtpPurpose", 1, ${now}::timestamptz)
    ON CONFLICT ("subject", "purpose") DO UPDATE SET
      "failures" = CASE WHEN ${isRecent} THEN g."failures" + 1 ELSE 1 END,
      "pausedUntil" = CASE WHEN ${isRecent} AND g."failures" + 1 >= ${failuresOfNetworksMax}
        THEN ${secondsAfter(now, lockSeconds)}::timestamptz END,
      "updatedAt" = ${now}::timestamptz
    WHERE g."pausedUntil" IS NULL OR g."pausedUntil" <= ${now}::timestamptz
    RETURNING 1`
}

/**
 * Returns why a subject has no try left. Not recorded in the audit log: a write for known addresses only would reveal which addresses are
 * known.
 */
async function noTriesFailure(
  tx: Tx,
  { now, fail }: Context<Caller, NoTriesFailure>,
  subject: string,
  { purpose, network }: Attempt,
): Promise<Failure> {
  const [guard] = await tx.rows<{ failures: number; pausedUntil: Date | null }>`
    SELECT "failures", "pausedUntil" FROM "OtpGuard" WHERE "subject" = ${subject} AND "purpose" = ${purpose}::"OtpPurpose"`
  if (!guard?.pausedUntil || guard.pausedUntil <= now)
    return fail('too_many_wrong_codes', { retry_after: resendAfterSeconds }, 'recorded')
  const lockAt = subject === network?.account ? failuresOfNetworksMax : failuresMax(purpose)
  const failure = guard.failures >= lockAt ? 'code_locked' : 'code_paused'
  return fail(failure, { retry_after: secondsUntil(guard.pausedUntil, now) }, 'recorded')
}

/**
 * Revokes the live codes of an account and purpose, including codes that are not sent yet. The rows stay, because the limits on
 * sending count them.
 */
export async function revokeCodes(
  tx: Tx,
  ducklingId: string,
  purpose: SendPurpose,
  now: Date,
): Promise<void> {
  await tx.otpCode.updateMany({ where: { ducklingId, purpose, deadAt: null }, data: { deadAt: now } })
}

/**
 * Spends a code and resets the counts of its subject, at the end of the transaction. When another request has spent or revoked it, the
 * transaction is retried, and then the code is a wrong one.
 */
function spendAtEnd(tx: Tx, { id }: LiveCode, { subject, purpose, network }: Attempt, now: Date): void {
  const column = spentColumns[fieldOf(purpose)]
  const isSpent = required(sql`EXISTS (SELECT 1 FROM spent)`, 'the code is live')
  const statement = sql`
    WITH spent AS (
      UPDATE "OtpCode" SET ${column} = ${now}::timestamptz
      WHERE "id" = ${id} AND "deadAt" IS NULL AND ${column} IS NULL RETURNING "id"
    ), reset AS (
      UPDATE "OtpGuard" SET "tries" = 0, "failures" = 0, "pausedUntil" = NULL, "updatedAt" = ${now}::timestamptz
      FROM spent WHERE "subject" = ANY(${[subject, network?.account ?? subject]}::text[]) AND "purpose" = ${purpose}::"OtpPurpose"
    )
    SELECT ${isSpent}`
  beforeCommit(tx, statement, { refused: () => new Overtaken('the code is no longer live') })
}

/**
 * After 5 wrong tries, the live codes are revoked for this purpose. After 10 wrong tries in a row, codes are paused for 15 minutes.
 * After each 5 more, they are paused for an hour, and after `failuresMax` for a day. The tries of a known device or a network revoke only
 * the codes that it requested.
 */
async function limitTries(
  tx: Tx,
  { subject, purpose, ducklingId, deviceId = null, network }: Attempt,
  { tries, failures }: { tries: number; failures: number },
  now: Date,
): Promise<void> {
  if (tries >= triesMax) {
    const field = fieldOf(purpose)
    await tx.otpCode.updateMany({
      where: {
        ducklingId: ducklingId ?? subject,
        deviceId,
        ...(network === undefined ? {} : { requester: network.key }),
        purpose: { in: accepted[purpose] },
        [field]: null,
        expiresAt: { gt: now },
      },
      data: { [field]: now },
    })
  }
  if (failures >= pauseAt && failures % triesMax === 0) {
    const pauseSeconds =
      failures === pauseAt ? 15 * minute : failures < failuresMax(purpose) ? hour : lockSeconds
    const pausedUntil = secondsAfter(now, pauseSeconds)
    await tx.otpGuard.update({ where: { subject_purpose: { subject, purpose } }, data: { pausedUntil } })
  }
}

function recordFailure(
  tx: Tx,
  context: Context,
  attempt: Attempt,
  { tries, failures }: { tries: number; failures: number },
): void {
  const { ducklingId, subject, event, failure, purpose } = attempt
  record(tx, context, event, {
    concerning: [ducklingId ?? subject],
    isDryRun: ducklingId === null,
    outcome: 'denied',
    metadata: { code: 'E4006', failure, purpose, wrong_tries: failures },
  })
  if (tries === triesMax && ducklingId !== null) {
    enqueueNotice(tx, context.now, ducklingId, 'code_failures', { at: context.now.toISOString() })
  }
}

const subjectOf = (hash: Buffer) => `unknown:${hash.toString('base64url')}`

/** Returns the subject that counts tries for an address without an account. */
export function unknownSubject(address: string): string {
  return subjectOf(keyedHash('subject', address))
}

/**
 * During a rotation of the secret, moves the counts of an address from its hash under the previous secret to the current one.
 * Otherwise only the counts of unknown addresses would start again, which would reveal which addresses are unknown. For the same
 * reason this runs for known addresses too. Call it before a try for `address` is counted.
 */
export async function carryTries(tx: Tx, address: string): Promise<void> {
  const before = previousKeyedHash('subject', address)
  if (before === null) return
  await tx.run`
    WITH moved AS (DELETE FROM "OtpGuard" WHERE "subject" = ${subjectOf(before)} RETURNING *)
    INSERT INTO "OtpGuard" AS g ("subject", "purpose", "tries", "failures", "pausedUntil", "updatedAt")
    SELECT ${unknownSubject(address)}, "purpose", "tries", "failures", "pausedUntil", "updatedAt" FROM moved
    ON CONFLICT ("subject", "purpose") DO UPDATE SET
      "tries" = GREATEST(g."tries", EXCLUDED."tries"), "failures" = GREATEST(g."failures", EXCLUDED."failures"),
      "pausedUntil" = GREATEST(g."pausedUntil", EXCLUDED."pausedUntil"),
      "updatedAt" = GREATEST(g."updatedAt", EXCLUDED."updatedAt")`
}
