/**
 * Unfinished ceremonies: a challenge of ours, tagged with what it is for, that lives five minutes and works once. It is
 * spent by deleting its row in a statement of its own, before anything is verified: a verifier accepts the same assertion
 * any number of times, so the challenge is what stops a replay (WebAuthn Level 3, 13.4.3), and a failed try uses it up too.
 */
import { randomBytes } from 'node:crypto'
import { db, type Tx } from '@/lib/db/client'
import { secondsAfter } from '@/lib/kernel/clock'
import { newId } from '@/lib/kernel/ids'
import { challengeLifetimeSeconds } from './relying-party'

export interface Ceremony {
  purpose: 'register' | 'login' | 'elevate' | 'approve' | 'confirm'
  /** Whose ceremony it is; null for sign-in, where the assertion is what tells. */
  ducklingId: string | null
  /** The peck that an approval is about. */
  peckId?: string
  /** The session that a confirmation is for: no other session can use its challenge. */
  sessionId?: string
}

/** Opens a ceremony with a challenge of 256 random bits. */
export async function openCeremony(tx: Tx, now: Date, ceremony: Ceremony): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32))
  await keepCeremony(tx, now, ceremony, challenge)
  return challenge
}

/** Opens a ceremony with a given challenge, or opens it again: the row of that challenge is replaced. */
export async function keepCeremony(
  tx: Tx,
  now: Date,
  ceremony: Ceremony,
  challenge: Uint8Array,
): Promise<void> {
  const expiresAt = secondsAfter(now, challengeLifetimeSeconds)
  await tx.$executeRaw`
    INSERT INTO "Ceremony" ("id", "purpose", "challenge", "ducklingId", "peckId", "sessionId", "createdAt", "expiresAt")
    VALUES (${newId('ceremony', now)}, ${ceremony.purpose}::"CeremonyPurpose", ${Buffer.from(challenge).toString('base64url')},
      ${ceremony.ducklingId}::text, ${ceremony.peckId ?? null}::text, ${ceremony.sessionId ?? null}::text,
      ${now}::timestamptz, ${expiresAt}::timestamptz)
    ON CONFLICT ("challenge") DO UPDATE SET "createdAt" = EXCLUDED."createdAt", "expiresAt" = EXCLUDED."expiresAt"`
}

/** Spends the ceremony of that challenge. False when there is none: unknown, expired, spent, or opened for something else. */
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

/** Removes ceremonies nobody finished. Called by the worker. */
export async function dropExpiredCeremonies(now: Date): Promise<void> {
  await db().ceremony.deleteMany({ where: { expiresAt: { lte: now } } })
}
