import { randomBytes } from 'node:crypto'
import { db, type Tx } from '@/lib/db/client'
import { config } from '@/lib/kernel/config'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'

/** How long a challenge is valid, and how long the browser waits for the person. */
export const challengeLifetimeSeconds = 5 * minute

/** The highest number of passkeys per duckling. */
export const passkeysMax = 20

export interface RelyingParty {
  id: string
  origin: string
  name: string
}

/** Returns how authenticators identify this service: passkeys belong to the host name of `BASE_URL`, assertions to its origin. */
export function relyingParty(): RelyingParty {
  const { origin } = config()
  return { id: new URL(origin).hostname, origin, name: 'Beak' }
}

/** Returns the WebAuthn user handle of a duckling, which is its id. */
export function userHandle(ducklingId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(ducklingId))
}

/**
 * Unfinished ceremonies. Each has a challenge with a purpose, which is valid for five minutes and can be used once. Deleting the row
 * spends the challenge, in a separate statement before the assertion is verified. The signature of a replayed assertion is valid, so
 * only the challenge prevents a replay (WebAuthn Level 3, 13.4.3). Therefore a failed attempt spends the challenge too.
 */

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

/** The client data of a credential: what the browser signed, with the challenge and the origin (WebAuthn Level 3, 5.8.1). */
export interface ClientData {
  type: string
  challenge: string
  origin: string
  /** Whether another site framed the page. */
  crossOrigin: boolean
}

/** Parses `clientDataJSON`. Returns null when it is malformed. */
export function readClientData(encoded: string): ClientData | null {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64url')))
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { type, challenge, origin, crossOrigin = false, topOrigin } = value as Record<string, unknown>
  if (typeof type !== 'string' || typeof challenge !== 'string' || typeof origin !== 'string') return null
  if (typeof crossOrigin !== 'boolean' || !/^[\w-]{1,512}$/.test(challenge)) return null
  return { type, challenge, origin, crossOrigin: crossOrigin || topOrigin !== undefined }
}
