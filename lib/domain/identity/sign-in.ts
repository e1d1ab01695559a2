/**
 * Sign-in by mailed code or password. An address nobody has goes through the very same statements as one somebody has and
 * gets the same answer, so neither the answer nor its time tells who is here (security bar, item 10).
 */

import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { requestCode, spendCode } from '@/lib/domain/codes/codes'
import { carryTries, unknownSubject } from '@/lib/domain/codes/unknown-subject'
import { lockForProof, markProven } from '@/lib/domain/revocation/prove-address'
import { countDeviceUse, type DeviceSession, findDevice, keepDevice } from '@/lib/domain/sessions/devices'
import { startSession } from '@/lib/domain/sessions/start'
import { record } from '@/lib/infrastructure/events/record'
import { hour, minute, secondsAfter, secondsUntil } from '@/lib/kernel/clock'
import type { AnonymousContext, DucklingContext, Tier } from '@/lib/kernel/context'
import { Failure, fail } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import { isPassword } from './passwords'

/**
 * Promises a sign-in code. Whether it is sent, and whether the address is known, the answer does not tell.
 * Spec silent: until the address of an account is proven, its devices are counted as strangers here. Otherwise somebody who
 * signed up with a stranger's address could have mail sent there for each new device.
 */
export async function requestSignInCode(
  context: AnonymousContext,
  email: string,
  deviceToken?: string,
): Promise<void> {
  const { now } = context
  // A refusal (too many sends) is swallowed on purpose: the answer is always the same (contract C).
  await transaction(async (tx) => {
    const known = await findDevice(tx, deviceToken, { email }, now)
    const device = await countDeviceUse(tx, known?.isProven ? known : null, 'device_codes', now)
    await requestCode(tx, context, 'signin', email, null, device?.id)
  })
}

/**
 * Signs in with a code, from a known device where the device token is valid. Throws `sign_in_refused` or a 429. The first sign-in
 * by code proves the address: the new session is the only one that stays, and what others set up before is removed, known devices
 * included (contract F). The tier rises at verify-email only.
 */
export function signInWithCode(
  context: AnonymousContext,
  email: string,
  code: string,
  deviceToken?: string,
): Promise<DeviceSession> {
  const { now } = context
  return transaction(async (tx) => {
    const duckling = await findByEmail(tx, email)
    const device = await findDevice(tx, deviceToken, { email }, now)
    const counted = await countDeviceUse(tx, device, 'device_tries', now)
    await carryTries(tx, email)
    const spent = await spendCode(tx, context, {
      purpose: 'signin',
      ducklingId: duckling?.id ?? null,
      subject: counted?.id ?? duckling?.id ?? unknownSubject(email),
      deviceId: counted?.id,
      code,
      // A code mailed to an address the account has given up since does not sign in.
      address: email,
      failure: 'sign_in_refused',
      event: 'session.started',
    })
    if (spent instanceof Failure || !duckling)
      return spent instanceof Failure ? spent : fail('sign_in_refused')
    const isFirstProof = duckling.emailVerifiedAt === null
    const proving = asSession(context, duckling, newId('session', now))
    if (isFirstProof) await lockForProof(tx, proving)
    const { sessionId: id } = proving.caller
    const session = await startSession(tx, context, duckling, ['otp'], { id, isNew: isFirstProof })
    if (isFirstProof) await markProven(tx, proving)
    return keepDevice(tx, now, duckling.id, session, isFirstProof ? null : device)
  })
}

/** The same request as made by the session that it is about to start. */
function asSession(
  context: AnonymousContext,
  { id, trustTier }: { id: string; trustTier: Tier },
  sessionId: string,
): DucklingContext {
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

function findByEmail(tx: Tx, email: string) {
  return tx.duckling.findUnique({
    where: { email },
    select: { id: true, trustTier: true, passwordHash: true, emailVerifiedAt: true },
  })
}

/**
 * Signs in with a password. Throws `sign_in_refused` or a 429. The try is counted first, then compared outside any
 * transaction (argon2 takes some 30 ms, which nobody else should wait for).
 * Spec silent: after 10 wrong passwords in a row a pause of 15 minutes, then every 5 one of an hour, as for codes, and counted
 * apart for a known device.
 */
export async function signInWithPassword(
  context: AnonymousContext,
  email: string,
  password: string,
  deviceToken?: string,
): Promise<DeviceSession> {
  const duckling = await findByEmail(db(), email)
  const device = await findDevice(db(), deviceToken, { email }, context.now)
  const subject = device?.id ?? duckling?.id ?? unknownSubject(email)
  await transaction(async (tx) => {
    await carryTries(tx, email)
    await countPasswordTry(tx, subject, context.now)
  })
  const isRight = await isPassword(duckling?.passwordHash ?? null, password)
  if (!duckling || !isRight) {
    await transaction((tx) => recordWrongPassword(tx, context, duckling?.id ?? null, subject))
    throw fail('sign_in_refused', {}, 'recorded')
  }
  return transaction(async (tx) => {
    if (!(await isStillPassword(tx, duckling.id, duckling.passwordHash)))
      return fail('sign_in_refused', {}, 'recorded')
    await tx.otpGuard.updateMany({
      where: { subject, purpose: 'password' },
      data: { failures: 0, pausedUntil: null },
    })
    const session = await startSession(tx, context, duckling, ['pwd'])
    return keepDevice(tx, context.now, duckling.id, session, device)
  })
}

/**
 * Whether the password that was compared outside the transaction is still the account's, and keeps it so until the transaction
 * ends: the first proof of the address may have removed it meanwhile.
 */
async function isStillPassword(tx: Tx, id: string, passwordHash: string | null): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ passwordHash: string | null }[]>`
    SELECT "passwordHash" FROM "Duckling" WHERE "id" = ${id} AND "deletedAt" IS NULL FOR SHARE`
  return row !== undefined && row.passwordHash === passwordHash
}

function recordWrongPassword(
  tx: Tx,
  context: AnonymousContext,
  ducklingId: string | null,
  subject: string,
): Promise<void> {
  return record(tx, context, 'session.started', {
    concerning: [ducklingId ?? subject],
    isDryRun: ducklingId === null,
    outcome: 'denied',
    metadata: { code: 'E4006', failure: 'sign_in_refused', purpose: 'password' },
  })
}

async function countPasswordTry(tx: Tx, subject: string, now: Date): Promise<void> {
  const paused15 = secondsAfter(now, 15 * minute)
  const paused60 = secondsAfter(now, hour)
  const counted = await tx.$executeRaw`
    INSERT INTO "OtpGuard" AS g ("subject", "purpose", "failures", "updatedAt")
    VALUES (${subject}, 'password', 1, ${now}::timestamptz)
    ON CONFLICT ("subject", "purpose") DO UPDATE SET
      "failures" = g."failures" + 1,
      "updatedAt" = ${now}::timestamptz,
      "pausedUntil" = CASE WHEN g."failures" + 1 = 10 THEN ${paused15}::timestamptz WHEN g."failures" >= 10 AND (g."failures" + 1) % 5 = 0 THEN ${paused60}::timestamptz ELSE g."pausedUntil" END
    WHERE g."pausedUntil" IS NULL OR g."pausedUntil" <= ${now}::timestamptz`
  if (counted > 0) return
  const guard = await tx.otpGuard.findUniqueOrThrow({
    where: { subject_purpose: { subject, purpose: 'password' } },
  })
  throw fail('code_paused', { retry_after: secondsUntil(guard.pausedUntil ?? now, now) }, 'recorded')
}
