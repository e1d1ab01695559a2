/**
 * Sign-in by mailed code or password. An unknown address runs the same statements as a known one and gets the same answer. So
 * neither the answer nor its time reveals whether an account exists (security bar, check-10).
 */
import { db, type Tx } from '@/lib/db/client'
import { flush, transaction } from '@/lib/db/transaction'
import { carryTries, type NoTriesFailure, spendCode, unknownSubject } from '@/lib/domain/codes/codes'
import { networkKey, networkSubject } from '@/lib/domain/codes/live-codes'
import { enqueueSignInCode } from '@/lib/domain/codes/request-code'
import { proveAddress } from '@/lib/domain/revocation/prove-address'
import { countDeviceUse, type DeviceSession, findDevice, storeDevice } from '@/lib/domain/sessions/devices'
import { ownerColumns, type SessionOwner, startSession } from '@/lib/domain/sessions/start'
import { record } from '@/lib/infrastructure/events/record'
import type { AnonymousContext, DucklingContext } from '@/lib/kernel/request/context'
import { Failure, type FailureName } from '@/lib/kernel/request/failures'
import type { Tier } from '@/lib/kernel/request/tier'
import { hour, minute, secondsAfter, secondsUntil } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { type CodeSentInput, presentCodeSent } from './schema'
import { matchesPassword } from './sign-up'

/**
 * Enqueues a sign-in code. The caller cannot tell whether a code is sent or the address is known. Until the address
 * of an account is verified, its devices count as strangers. Otherwise a person who signed up with another person's address could
 * have mail sent there from every new device.
 */
export async function requestSignInCode(
  context: AnonymousContext,
  email: string,
  deviceToken?: string,
): Promise<CodeSentInput> {
  const { now } = context
  // The answer is the same when too many codes were sent.
  return transaction(async (tx) => {
    const known = await findDevice(tx, deviceToken, { email }, now)
    const device = await countDeviceUse(tx, known?.isProven ? known : null, 'device_codes', now)
    enqueueSignInCode(tx, context, email, device?.id ?? null)
    return presentCodeSent('If this address has an account, a code is on its way.')
  })
}

/**
 * Signs in with a code. A valid device token makes it a sign-in from a known device. Throws `sign_in_failed`,
 * `too_many_wrong_codes`, `code_paused`, `code_locked`, `account_suspended` for the right code, or `session_invalid` when the account was closed meanwhile. The first
 * sign-in by code proves the address: only the new session stays, and what other sessions made is removed, known devices included.
 * Only verify-email raises the tier.
 */
export function signInWithCode(
  context: AnonymousContext<'sign_in_failed' | 'session_invalid' | 'account_suspended' | NoTriesFailure>,
  email: string,
  code: string,
  deviceToken?: string,
): Promise<DeviceSession> {
  const { now } = context
  return transaction(async (tx) => {
    const [duckling, device] = await Promise.all([
      findByEmail(tx, email),
      findDevice(tx, deviceToken, { email }, now),
    ])
    const counted = await countDeviceUse(tx, device, 'device_tries', now)
    await carryTries(tx, email)
    const account = duckling?.id ?? unknownSubject(email)
    const network = { key: networkKey(context.ip), account }
    const spent = await spendCode(tx, context, {
      purpose: 'signin',
      ducklingId: duckling?.id ?? null,
      subject: counted?.id ?? networkSubject(account, network.key),
      network: counted === null ? network : undefined,
      deviceId: counted?.id,
      code,
      // A code that was mailed to an earlier address of the account is not accepted.
      address: email,
      failure: 'sign_in_failed',
      event: 'session.started',
    })
    if (spent instanceof Failure || !duckling)
      return spent instanceof Failure ? spent : context.fail('sign_in_failed')
    const isFirstProof = duckling.emailVerifiedAt === null
    // The first proof locks the account, see `spendCode`.
    if (isFirstProof) await flush(tx)
    const id = newId('session', now)
    const isExpected = isFirstProof || device !== null
    const session = await startSession(tx, context, duckling, ['otp'], { id, isExpected })
    if (isFirstProof) await proveAddress(tx, withNewSession(context, duckling, id))
    return storeDevice(tx, now, duckling.id, session, isFirstProof ? null : device)
  })
}

/** Returns the context of the same request with the session that is about to start as its caller. */
function withNewSession<F extends FailureName>(
  context: AnonymousContext<F>,
  { id, trustTier }: { id: string; trustTier: Tier },
  sessionId: string,
): DucklingContext<F> {
  return {
    ...context,
    caller: {
      type: 'duckling',
      id,
      tier: trustTier,
      sessionId,
      authTime: context.now,
      amr: ['otp'],
      passkeyAt: null,
    },
  }
}

interface Account extends SessionOwner {
  passwordHash: string | null
  emailVerifiedAt: Date | null
}

async function findByEmail(tx: Tx, email: string): Promise<Account | null> {
  const [account] = await tx.rows<Account>`
    SELECT ${ownerColumns}, d."passwordHash", d."emailVerifiedAt" FROM "Duckling" d WHERE d."email" = ${email}`
  return account ?? null
}

/**
 * Signs in with a password. Throws `sign_in_failed`, `code_paused`, or `account_suspended` for the right password. Counts the try first and then compares the password outside
 * a transaction, because argon2 takes about 30 ms. 10 wrong passwords in a row cause a pause of 15 minutes, and every
 * 5 further ones a pause of an hour, as for codes. A known device has its own count.
 */
export async function signInWithPassword(
  context: AnonymousContext<'sign_in_failed' | 'account_suspended' | 'code_paused'>,
  email: string,
  password: string,
  deviceToken?: string,
): Promise<DeviceSession> {
  const [duckling, device] = await Promise.all([
    findByEmail(db(), email),
    findDevice(db(), deviceToken, { email }, context.now),
  ])
  const subject = device?.id ?? duckling?.id ?? unknownSubject(email)
  await transaction(async (tx) => {
    await carryTries(tx, email)
    await countPasswordTry(tx, context, subject)
  })
  const isCorrect = await matchesPassword(duckling?.passwordHash ?? null, password)
  if (!duckling || !isCorrect) {
    await transaction(async (tx) => recordWrongPassword(tx, context, duckling?.id ?? null, subject))
    throw context.fail('sign_in_failed', {}, 'recorded')
  }
  return transaction(async (tx) => {
    const owner = await lockOwnerOfPassword(tx, duckling)
    if (owner === null) return context.fail('sign_in_failed', {}, 'recorded')
    await tx.otpGuard.updateMany({
      where: { subject, purpose: 'password' },
      data: { failures: 0, pausedUntil: null },
    })
    const session = await startSession(tx, context, owner, ['pwd'], { isExpected: device !== null })
    return storeDevice(tx, context.now, duckling.id, session, device)
  })
}

/**
 * Returns the account, or null when it no longer has the password that was compared outside the transaction. Locks the row, because a
 * first proof of the address may remove the password at any time.
 */
async function lockOwnerOfPassword(tx: Tx, { id, passwordHash }: Account): Promise<SessionOwner | null> {
  const [owner] = await tx.rows<SessionOwner>`
    SELECT ${ownerColumns} FROM "Duckling" d
    WHERE d."id" = ${id} AND d."passwordHash" = ${passwordHash} AND d."deletedAt" IS NULL FOR SHARE OF d`
  return owner ?? null
}

function recordWrongPassword(
  tx: Tx,
  context: AnonymousContext,
  ducklingId: string | null,
  subject: string,
): void {
  record(tx, context, 'session.started', {
    concerning: [ducklingId ?? subject],
    isDryRun: ducklingId === null,
    outcome: 'denied',
    metadata: { code: 'E4006', failure: 'sign_in_failed', purpose: 'password' },
  })
}

async function countPasswordTry(
  tx: Tx,
  context: AnonymousContext<'code_paused'>,
  subject: string,
): Promise<void> {
  const { now } = context
  const in15Minutes = secondsAfter(now, 15 * minute)
  const inOneHour = secondsAfter(now, hour)
  const counted = await tx.run`
    INSERT INTO "OtpGuard" AS g ("subject", "purpose", "failures", "updatedAt")
    VALUES (${subject}, 'password', 1, ${now}::timestamptz)
    ON CONFLICT ("subject", "purpose") DO UPDATE SET
      "failures" = g."failures" + 1,
      "updatedAt" = ${now}::timestamptz,
      "pausedUntil" = CASE WHEN g."failures" + 1 = 10 THEN ${in15Minutes}::timestamptz WHEN g."failures" >= 10 AND (g."failures" + 1) % 5 = 0 THEN ${inOneHour}::timestamptz ELSE g."pausedUntil" END
    WHERE g."pausedUntil" IS NULL OR g."pausedUntil" <= ${now}::timestamptz`
  if (counted > 0) return
  const guard = await tx.otpGuard.findUniqueOrThrow({
    where: { subject_purpose: { subject, purpose: 'password' } },
  })
  throw context.fail('code_paused', { retry_after: secondsUntil(guard.pausedUntil ?? now, now) }, 'recorded')
}
