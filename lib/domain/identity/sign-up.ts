import type { Tx } from '@/lib/db/client'
import { unique } from '@/lib/db/conflict'
import { transaction } from '@/lib/db/transaction'
import { addressReservedFor } from '@/lib/domain/codes/mail-link'
import { enqueueCode } from '@/lib/domain/codes/request-code'
import { type StartedSession, startSession } from '@/lib/domain/sessions/start'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { record } from '@/lib/infrastructure/events/record'
import { day, secondsAfter } from '@/lib/kernel/clock'
import type { AnonymousContext } from '@/lib/kernel/context'
import { type Failure, fail } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import { randomSecret } from '@/lib/kernel/secrets'
import { hashPassword } from './passwords'

export interface SignUp {
  email: string
  /** Missing in the published shape that has a password instead: then a name is made up. */
  displayName: string | undefined
  password: string | undefined
  referralCode: string | undefined
}

/**
 * Makes a duckling at tier T0, signs it in and promises the verification code. Throws `identity_exists`; the owner of the
 * address is told of that by mail, at most once a day (security bar, D1).
 */
export async function signUp(
  context: AnonymousContext,
  input: SignUp,
): Promise<StartedSession & { duckling_id: string }> {
  const { now } = context
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password)
  return transaction(async (tx) => {
    const known = await tx.duckling.findUnique({ where: { email: input.email }, select: { id: true } })
    if (known) return refuseKnown(tx, now, known.id)
    const reservedFor = await addressReservedFor(tx, input.email, now)
    if (reservedFor !== null) return fail('identity_exists', {}, { ducklingId: reservedFor })
    const id = newId('duckling', now)
    const sessionId = newId('session', now)
    const duckling = await unique(
      tx.duckling.create({
        data: {
          id,
          email: input.email,
          displayName: input.displayName ?? `Duck${randomSecret(5)}`,
          passwordHash,
          referralCode: randomSecret(7).slice(0, 10),
          referredByCode: input.referralCode ?? null,
          signupSessionId: sessionId,
          createdAt: now,
        },
      }),
      'identity_exists',
    )
    await record(tx, context, 'duckling.registered', {
      concerning: [id],
      actor: { type: 'duckling', id },
      targets: [{ type: 'duckling', id }],
      metadata: { with_password: passwordHash !== null },
    })
    const pausedUntil = await enqueueCode(tx, context, 'signup', input.email, id)
    // Spec silent: an address that has used up its codes (an account closed and opened again) signs up all the same, and
    // asks for its code later with POST /beak/verify-email/resend.
    if (pausedUntil !== null)
      await record(tx, context, 'code.requested', {
        concerning: [id],
        outcome: 'denied',
        metadata: { failure: 'code_sends_exhausted' },
      })
    const session = await startSession(tx, context, duckling, passwordHash === null ? [] : ['pwd'], {
      isNew: true,
      id: sessionId,
    })
    return { ...session, duckling_id: id }
  })
}

async function refuseKnown(tx: Tx, now: Date, id: string): Promise<Failure> {
  const { count } = await tx.duckling.updateMany({
    where: { id, OR: [{ signupNoticeAt: null }, { signupNoticeAt: { lt: secondsAfter(now, -day) } }] },
    data: { signupNoticeAt: now },
  })
  if (count === 1) await enqueueNotice(tx, now, id, 'signup_attempt', {})
  return fail('identity_exists', {}, { ducklingId: id })
}
