/**
 * Unfinished ceremonies. Each has a challenge with a purpose, which is valid for five minutes and can be used once. Deleting the row
 * spends the challenge, in a separate statement before the assertion is verified. The signature of a replayed assertion is valid, so
 * only the challenge prevents a replay (WebAuthn Level 3, 13.4.3). Therefore a failed attempt spends the challenge too.
 */
import { randomBytes } from 'node:crypto'
import { db, type Tx } from '@/lib/db/client'
import { secondsAfter } from '@/lib/kernel/clock'
import { newId } from '@/lib/kernel/ids'
import { challengeLifetimeSeconds } from './relying-party'

export interface Ceremony {
  purpose:
    | 'register'
    | 'login'
    | 'elevate'
    | 'approve'
    | 'reject'
    | 'confirm'
    | 'endorse'
    | 'approver'
    | 'rule'
  /** Null for sign-in, where only the assertion shows who signs in. */
  ducklingId: string | null
  /** The peck that an approval or a rejection is about. */
  peckId?: string
  /** The session that a confirmation is for: no other session can use its challenge. */
  sessionId?: string
}

/** Opens a ceremony with a challenge of 256 random bits. */
export async function openCeremony(tx: Tx, now: Date, ceremony: Ceremony): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32))
  await storeCeremony(tx, now, ceremony, challenge)
  return challenge
}

/**
 * Stores a ceremony with a given challenge. When the challenge is stored already, its lifetime starts again. `statement` is the text that
 * the challenge is the hash of, when it cannot be computed again.
 */
export async function storeCeremony(
  tx: Tx,
  now: Date,
  ceremony: Ceremony,
  challenge: Uint8Array,
  statement: string | null = null,
): Promise<void> {
  const expiresAt = secondsAfter(now, challengeLifetimeSeconds)
  await tx.run`
    INSERT INTO "Ceremony" ("id", "purpose", "challenge", "ducklingId", "peckId", "sessionId", "statement", "createdAt", "expiresAt")
    VALUES (${newId('ceremony', now)}, ${ceremony.purpose}::"CeremonyPurpose", ${Buffer.from(challenge).toString('base64url')},
      ${ceremony.ducklingId}::text, ${ceremony.peckId ?? null}::text, ${ceremony.sessionId ?? null}::text,
      ${statement}::text, ${now}::timestamptz, ${expiresAt}::timestamptz)
    ON CONFLICT ("challenge") DO UPDATE SET "createdAt" = EXCLUDED."createdAt", "expiresAt" = EXCLUDED."expiresAt"`
}

/** Returns the statement that was stored with a challenge, or null when there is none. Does not spend the challenge. */
export async function findStatement(
  { purpose, ducklingId, peckId }: Ceremony,
  challenge: string,
): Promise<string | null> {
  const found = await db().ceremony.findFirst({
    where: { challenge, purpose, ducklingId, peckId: peckId ?? null },
    select: { statement: true },
  })
  return found?.statement ?? null
}

/** Spends a challenge. Returns false when it is unknown, expired or spent, or was opened for another purpose or account. */
export async function spendCeremony(now: Date, ceremony: Ceremony, challenge: string): Promise<boolean> {
  const { purpose, ducklingId, peckId, sessionId } = ceremony
  const { count } = await db().ceremony.deleteMany({
    where: {
      challenge,
      purpose,
      ducklingId,
      peckId: peckId ?? null,
      sessionId: sessionId ?? null,
      expiresAt: { gt: now },
    },
  })
  return count === 1
}

/** Deletes expired ceremonies. Called by the worker. */
export async function deleteExpiredCeremonies(now: Date): Promise<void> {
  await db().ceremony.deleteMany({ where: { expiresAt: { lte: now } } })
}
