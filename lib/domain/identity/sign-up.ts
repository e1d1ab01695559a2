/** Passwords of accounts that signed up with one: argon2id, 12–128 characters, no commonly used ones. */

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { withLetters } from '@beak/decision/digits-for-letters'
import { hash, verify } from '@node-rs/argon2'
import { z } from 'zod'
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
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { record } from '@/lib/infrastructure/events/record'
import { distrustedCount } from '@/lib/infrastructure/keys/signing-keys'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import type { AnonymousContext } from '@/lib/kernel/request/context'
import type { Failure } from '@/lib/kernel/request/failures'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { newId } from '@/lib/kernel/secrets/ids'
import { readToken } from '@/lib/kernel/secrets/secret-token'
import { randomSecret } from '@/lib/kernel/secrets/secrets'
import { displayNameFor, inventedName } from './names'

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Loaded with the first password, because the package takes 12 MiB. */
function loadDictionary() {
  const require = createRequire(join(/* turbopackIgnore: true */ process.cwd(), 'package.json'))
  return (require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')).dictionary
}

const commonPasswords = () =>
  singleton('passwords.common', () => new Set<string>(loadDictionary()['passwords-common'].map(String)))

/** Digits, the alphabet and keyboard rows, forwards and backwards. */
const keyRuns = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]asdfghjkl;zxcvbnm',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopü+asdfghjklöäyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
].flatMap((run) => [run, [...run].reverse().join('')])

/**
 * Returns simpler forms of a password: without digits and signs at its end, with look-alike characters as letters, and half of a
 * password that repeats itself.
 */
function variantsOf(password: string): string[] {
  const stem = password.replace(/[\d!@#$%^&*._-]+$/, '')
  const letters = withLetters(stem)
  return [password, stem, letters].flatMap((text) => {
    const half = text.slice(0, text.length / 2)
    return text === half + half ? [text, half] : [text]
  })
}

/** Whether a password or a simpler form of it is on the list of common passwords, or it is a run of keys, or has few characters. */
function isCommon(password: string): boolean {
  const plain = password.toLowerCase()
  if (variantsOf(plain).some((text) => commonPasswords().has(text))) return true
  return new Set(plain).size <= 3 || keyRuns.some((run) => run.includes(plain))
}

export const newPassword = z
  .string()
  .min(12, { error: m.field_must_have_at_least_12_characters, abort: true })
  .max(128, { error: m.field_must_have_at_most_128_characters, abort: true })
  .refine((password) => !isCommon(password), { error: m.field_is_commonly_used_choose_another_one })

/** Returns the argon2id hash of a password as a PHC string. Takes about 30 ms on a separate thread. */
function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** Whether the password matches the hash. Takes the same time without a hash, and then returns false. */
export async function matchesPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const decoy = await singleton('passwords.decoy', () => hash('no account has this one', cost))
  return (await verify(passwordHash ?? decoy, password)) && passwordHash !== null
}

/** Who may sign up (contract E, Who may sign up). Decided before the address is looked up, so that nobody can find out who has an account. */

type AdmissionFailure = 'sign_up_closed' | 'sign_up_pass_invalid' | 'sign_up_domain_refused'

interface Applicant {
  email: string
  signUpPass?: string | undefined
}

/** Ends the admission. Call it after the account was created, in the same transaction. */
type SpendPass = (tx: Tx) => Promise<void>

const keepNothing: SpendPass = async () => undefined

/**
 * Throws unless the address may sign up. Locks the pass, so that one of many simultaneous sign-ups gets it. Returns a function that deletes
 * the pass: a sign-up that is refused for another reason does not use it.
 */
async function admitSignUp(
  tx: Tx,
  context: AnonymousContext<AdmissionFailure>,
  { email, signUpPass }: Applicant,
): Promise<SpendPass> {
  const { signUp: policy } = config()
  if (policy.mode === 'open') return keepNothing
  if (policy.mode === 'closed') throw context.fail('sign_up_closed')
  if (policy.mode === 'domains' && signUpPass === undefined) {
    const domain = email.slice(email.lastIndexOf('@') + 1)
    if (policy.domains.includes(domain)) return keepNothing
    throw context.fail('sign_up_domain_refused')
  }
  const parts = readToken(signUpPass ?? '')
  if (parts === null) throw context.fail('sign_up_pass_invalid')
  const [pass] = await tx.rows<{ id: string }>`
    SELECT "id" FROM "SignUpPass"
    WHERE "id" = ${parts.id} AND "tokenHash" = ${parts.secretHash} AND "email" = ${email}
      AND "expiresAt" > ${context.now}::timestamptz FOR UPDATE`
  if (pass === undefined) throw context.fail('sign_up_pass_invalid')
  return async (inner) => {
    await inner.run`DELETE FROM "SignUpPass" WHERE "id" = ${pass.id}`
  }
}

export interface SignUp {
  email: string
  /** When missing, it is made from the full name or generated. */
  displayName: string | undefined
  fullName?: string | undefined
  password: string | undefined
  referralCode: string | undefined
  /** Whether the directory may list the account. Pages ask the person, and programs get true. */
  directoryVisible?: boolean | undefined
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
    // An address that has used up its codes can still sign up, for instance after its account was closed. It gets
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
      INSERT INTO "Duckling" ("id", "email", "displayName", "fullName", "passwordHash", "referralCode", "referredByCode", "signupSessionId", "directoryVisible", "createdAt")
      SELECT ${id}, ${email}, ${displayName}, ${fullName}, ${passwordHash}, ${randomSecret(7).slice(0, 10)},
        ${referralCode ?? null}, ${sessionId}, ${duckling.directoryVisible ?? true}, ${now}::timestamptz
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
