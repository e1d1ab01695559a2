/** Sensitive changes need a recent proof of identity, not only a session (contract F, Sensitive changes). */

import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import type { DucklingContext, SessionCaller } from '@/lib/kernel/request/context'
import { day, minute, secondsAfter } from '@/lib/kernel/runtime/clock'

/** The greatest age of a proof. */
export const proofSeconds = 10 * minute

export const proofFailures = ['fresh_passkey_needed', 'fresh_sign_in_needed'] as const
/** What `requireProof` throws. */
export type ProofFailure = (typeof proofFailures)[number]

function isRecent(at: Date | null, now: Date): boolean {
  return at !== null && now.getTime() - at.getTime() <= proofSeconds * 1000
}

/**
 * Tells whether the holder of the session signed in. The person who approved a device proved their identity elsewhere, and may have
 * been tricked: such a session never counts as a fresh sign-in.
 */
export const isOwnSignIn = ({ amr }: SessionCaller): boolean => !amr.includes('device')

export async function hasPasskey(tx: Tx, { id }: SessionCaller): Promise<boolean> {
  return (await tx.passkey.findFirst({ where: { ducklingId: id }, select: { id: true } })) !== null
}

/**
 * Returns whether the session may only prepare something for its owner: one of the device flow (contract F, Sensitive changes). Any other needs
 * a recent proof, and throws the failures of `requireProof` without one.
 */
export async function preparesOnly(tx: Tx, context: DucklingContext<ProofFailure>): Promise<boolean> {
  if (!isOwnSignIn(context.caller)) return true
  await requireProof(tx, context)
  return false
}

/**
 * Throws unless the caller's session has a recent proof: `fresh_passkey_needed` when the account has a passkey,
 * `fresh_sign_in_needed` when it has none and the sign-in is too old.
 */
export async function requireProof(tx: Tx, context: DucklingContext<ProofFailure>): Promise<void> {
  const { caller, now } = context
  if (isRecent(caller.passkeyAt, now)) return
  if (await hasPasskey(tx, caller)) throw context.fail('fresh_passkey_needed', { required: 'passkey' })
  if (!isOwnSignIn(caller) || !isRecent(caller.authTime, now))
    throw context.fail('fresh_sign_in_needed', { required: 'fresh_sign_in' })
}

/** The same for what only the person herself may do: a session of the device flow never has the proof. */
export async function requireOwnProof(tx: Tx, context: DucklingContext<ProofFailure>): Promise<void> {
  await requireProof(tx, context)
  if (!isOwnSignIn(context.caller)) throw context.fail('fresh_sign_in_needed', { required: 'fresh_sign_in' })
}

/**
 * Tells in SQL whether the proof of the session `session` still counts: one with a passkey until the passkey is removed, and one with a fresh sign-in
 * until the account has a passkey. `row`: which row names the passkey of the proof.
 */
export function proofCounts(session: string, row = session): Sql {
  const [owner, passkey] = [Prisma.raw(`${session}."ducklingId"`), Prisma.raw(`${row}."passkeyId"`)]
  return sql`CASE WHEN ${passkey} IS NULL THEN NOT EXISTS (SELECT 1 FROM "Passkey" WHERE "ducklingId" = ${owner})
    ELSE EXISTS (SELECT 1 FROM "Passkey" WHERE "id" = ${passkey} AND "ducklingId" = ${owner}) END`
}

/**
 * Tells whether a passkey that the account had at that time confirmed the caller's session in the last 10 minutes. A thief may have added
 * a newer one.
 */
export async function isConfirmedByOlder(
  tx: Tx,
  { caller, now }: DucklingContext,
  at: Date,
): Promise<boolean> {
  if (!isRecent(caller.passkeyAt, now)) return false
  const [older] = await tx.rows`
    SELECT 1 FROM "Session" s JOIN "Passkey" p ON p."id" = s."passkeyId"
    WHERE s."id" = ${caller.sessionId} AND p."ducklingId" = ${caller.id} AND p."createdAt" <= ${at}::timestamptz`
  return older !== undefined
}

/**
 * Returns the id of the passkey of the person herself that confirmed the session in the last 10 minutes: one that the account has had for a day, or
 * any in the first day of the account. Null without such a passkey. Somebody with the mailbox of an account without a passkey may have added a newer
 * one. A session of the device flow never has this proof.
 */
export async function passkeyOfOwner(tx: Tx, { caller, now }: DucklingContext): Promise<string | null> {
  if (!isOwnSignIn(caller) || !isRecent(caller.passkeyAt, now)) return null
  const yesterday = secondsAfter(now, -day)
  const [passkey] = await tx.rows<{ id: string }>`
    SELECT p."id" FROM "Session" s JOIN "Passkey" p ON p."id" = s."passkeyId" JOIN "Duckling" d ON d."id" = p."ducklingId"
    WHERE s."id" = ${caller.sessionId} AND d."id" = ${caller.id}
      AND (p."createdAt" <= ${yesterday}::timestamptz OR d."createdAt" > ${yesterday}::timestamptz)`
  return passkey?.id ?? null
}

/** Throws `fresh_passkey_needed` unless a passkey confirmed the caller's session in the last 10 minutes. */
export function requirePasskey(context: DucklingContext<'fresh_passkey_needed'>): void {
  const { caller, now } = context
  if (!isRecent(caller.passkeyAt, now)) throw context.fail('fresh_passkey_needed', { required: 'passkey' })
}

/** Throws `fresh_code_needed` unless the caller's session began with a code in the last 10 minutes. */
export function requireFreshCode(context: DucklingContext<'fresh_code_needed'>): void {
  const { caller, now } = context
  if (!caller.amr.includes('otp') || !isRecent(caller.authTime, now))
    throw context.fail('fresh_code_needed', { required: 'fresh_sign_in' })
}

export interface LockedDuckling {
  email: string | null
  emailVerifiedAt: Date | null
}

/** Locks an account until the transaction ends and returns its current data, or null when the account is closed. */
export async function lockDuckling(tx: Tx, id: string): Promise<LockedDuckling | null> {
  const [row] = await tx.rows<LockedDuckling>`
    SELECT "email", "emailVerifiedAt" FROM "Duckling"
    WHERE "id" = ${id} AND "deletedAt" IS NULL FOR UPDATE`
  return row ?? null
}

/**
 * Locks the caller's account. Throws `session_invalid` when the account was closed or the session ended while this request waited
 * for the lock.
 */
export async function lockCaller(
  tx: Tx,
  context: DucklingContext<'session_invalid'>,
): Promise<LockedDuckling> {
  const { caller, now } = context
  const row = await lockDuckling(tx, caller.id)
  const session = await tx.session.findFirst({
    where: { id: caller.sessionId, revokedAt: null, expiresAt: { gt: now } },
    select: { id: true },
  })
  if (row === null || session === null) throw context.fail('session_invalid')
  return row
}
