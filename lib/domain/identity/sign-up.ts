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
import type { Failure } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import { randomSecret } from '@/lib/kernel/secrets'
import { hashPassword } from './passwords'

export interface SignUp {
  email: string
  /** Missing in the request shape with a password. Then the service generates a name. */
  displayName: string | undefined
  password: string | undefined
  referralCode: string | undefined
}

/**
 * Creates a duckling at tier T0, starts its session and enqueues the verification code. Throws `identity_exists` for a known
 * address, whose owner gets a mail about it at most once a day (security bar, D1).
 */
export async function signUp(
  context: AnonymousContext<'identity_exists'>,
  input: SignUp,
): Promise<StartedSession & { duckling_id: string }> {
  const { now } = context
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password)
  return transaction(async (tx) => {
    const known = await tx.duckling.findUnique({ where: { email: input.email }, select: { id: true } })
    if (known) return knownAddressFailure(tx, context, known.id)
    const reservedFor = await addressReservedFor(tx, input.email, now)
    if (reservedFor !== null) return context.fail('identity_exists', {}, { ducklingId: reservedFor })
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
      context.fail('identity_exists'),
    )
    record(tx, context, 'duckling.registered', {
      concerning: [id],
      actor: { type: 'duckling', id },
      targets: [{ type: 'duckling', id }],
      metadata: { with_password: passwordHash !== null },
    })
    const pausedUntil = await enqueueCode(tx, context, 'signup', input.email, id)
    // Spec silent: an address that has used up its codes can still sign up, for instance after its account was closed. It gets
    // a code later with POST /beak/verify-email/resend.
    if (pausedUntil !== null)
      record(tx, context, 'code.requested', {
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

async function knownAddressFailure(
  tx: Tx,
  context: AnonymousContext<'identity_exists'>,
  id: string,
): Promise<Failure> {
  const { now } = context
  const { count } = await tx.duckling.updateMany({
    where: { id, OR: [{ signupNoticeAt: null }, { signupNoticeAt: { lt: secondsAfter(now, -day) } }] },
    data: { signupNoticeAt: now },
  })
  if (count === 1) enqueueNotice(tx, now, id, 'signup_attempt', {})
  return context.fail('identity_exists', {}, { ducklingId: id })
}
