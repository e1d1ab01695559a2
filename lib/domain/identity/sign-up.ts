import { db, type Tx } from '@/lib/db/client'
import { together, transaction } from '@/lib/db/transaction'
import { reservationsOf } from '@/lib/domain/codes/mail-link'
import { enqueueCode } from '@/lib/domain/codes/request-code'
import {
  type Method,
  type SessionOwner,
  type StartedSession,
  startCheckedSession,
} from '@/lib/domain/sessions/start'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { record } from '@/lib/infrastructure/events/record'
import { distrustedCount } from '@/lib/infrastructure/keys/signing-keys'
import { day, secondsAfter } from '@/lib/kernel/clock'
import type { AnonymousContext } from '@/lib/kernel/context'
import type { Failure } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import { randomSecret } from '@/lib/kernel/secrets'
import { displayNameFor, inventedName } from './names'
import { hashPassword } from './passwords'
import { type AdmissionFailure, admitSignUp } from './sign-up-admission'

export interface SignUp {
  email: string
  /** When missing, it is made from the full name or generated. */
  displayName: string | undefined
  fullName?: string | undefined
  password: string | undefined
  referralCode: string | undefined
  signUpPass?: string | undefined
}

/**
 * Creates a duckling at tier T0, starts its session and enqueues the verification code. Throws `sign_up_closed`, `sign_up_pass_invalid` or
 * `sign_up_domain_refused` before it looks up the address, and `identity_exists` for a known address, whose owner gets a mail about it at
 * most once a day (security bar, D1).
 */
export async function signUp(
  context: AnonymousContext<'identity_exists' | AdmissionFailure>,
  input: SignUp,
): Promise<StartedSession & { duckling_id: string }> {
  const { now } = context
  // Only for those who may sign up, because hashing takes longer than everything else.
  if (input.password !== undefined) await admitSignUp(db(), context, input)
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password)
  const id = newId('duckling', now)
  const sessionId = newId('session', now)
  return transaction(async (tx) => {
    const spendPass = await admitSignUp(tx, context, input)
    const [{ isCreated, knownId, reservedFor, distrustedKeys }, pausedUntil] = await together([
      createDuckling(tx, now, { ...input, id, sessionId, passwordHash }),
      enqueueCode(tx, context, 'signup', input.email, id),
    ])
    if (knownId !== null) return knownAddressFailure(tx, context, knownId)
    if (reservedFor !== null) return context.fail('identity_exists', {}, { ducklingId: reservedFor })
    if (!isCreated) return context.fail('identity_exists')
    await spendPass(tx)
    record(tx, context, 'duckling.registered', {
      concerning: [id],
      actor: { type: 'duckling', id },
      targets: [{ type: 'duckling', id }],
      metadata: { with_password: passwordHash !== null },
    })
    // An address that has used up its codes can still sign up, for instance after its account was closed (contract G). It gets
    // a code later with POST /beak/verify-email/resend.
    if (pausedUntil !== null)
      record(tx, context, 'code.requested', {
        concerning: [id],
        outcome: 'denied',
        metadata: { failure: 'too_many_codes_sent' },
      })
    const owner: SessionOwner = { id, trustTier: 'T0', distrustedKeys }
    const amr: Method[] = passwordHash === null ? [] : ['pwd']
    const session = await startCheckedSession(tx, context, owner, amr, { isExpected: true, id: sessionId })
    return { ...session, duckling_id: id }
  })
}

export interface NewDuckling extends Omit<SignUp, 'password'> {
  id: string
  /** The session that signs up. Null when the host creates the account. */
  sessionId: string | null
  passwordHash: string | null
}

interface Creation {
  isCreated: boolean
  /** The account that has the address. */
  knownId: string | null
  /** The account that can take the address back. */
  reservedFor: string | null
  distrustedKeys: number
}

/** Creates a duckling, unless the address is taken or reserved, or a simultaneous sign-up has taken it. */
export async function createDuckling(tx: Tx, now: Date, duckling: NewDuckling): Promise<Creation> {
  const { id, email, fullName = null, passwordHash, referralCode, sessionId } = duckling
  const displayName =
    duckling.displayName ?? (fullName === null ? null : displayNameFor(fullName)) ?? inventedName()
  const [creation] = await tx.rows<Creation>`
    WITH known AS (
      SELECT "id" FROM "Duckling" WHERE "email" = ${email}
    ), reserved AS (
      ${reservationsOf(email, now)}
    ), created AS (
      INSERT INTO "Duckling" ("id", "email", "displayName", "fullName", "passwordHash", "referralCode", "referredByCode", "signupSessionId", "createdAt")
      SELECT ${id}, ${email}, ${displayName}, ${fullName}, ${passwordHash}, ${randomSecret(7).slice(0, 10)},
        ${referralCode ?? null}, ${sessionId}, ${now}::timestamptz
      WHERE NOT EXISTS (SELECT 1 FROM known) AND NOT EXISTS (SELECT 1 FROM reserved)
      ON CONFLICT DO NOTHING RETURNING "id"
    )
    SELECT EXISTS (SELECT 1 FROM created) AS "isCreated", (SELECT "id" FROM known) AS "knownId",
      (SELECT "ducklingId" FROM reserved LIMIT 1) AS "reservedFor", ${distrustedCount} AS "distrustedKeys"`
  if (creation === undefined) throw new Error('the statement that creates a duckling returned no row')
  return creation
}

async function knownAddressFailure(
  tx: Tx,
  context: AnonymousContext<'identity_exists'>,
  id: string,
): Promise<Failure> {
  const { now } = context
  const isDue = await tx.run`
    UPDATE "Duckling" SET "signupNoticeAt" = ${now}::timestamptz
    WHERE "id" = ${id} AND ("signupNoticeAt" IS NULL OR "signupNoticeAt" < ${secondsAfter(now, -day)}::timestamptz)`
  if (isDue === 1) enqueueNotice(tx, now, id, 'signup_attempt', {})
  return context.fail('identity_exists', {}, { ducklingId: id })
}
