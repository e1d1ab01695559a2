/**
 * Grant tokens: what the asker shows to the service that guards the thing asked for.
 *
 * A token is a signed JWT, so a holder can read what it permits, and its SHA-256 is stored when it is made. A permission is
 * consumed by that digest only: a token that the service never gave out is refused, also when a stolen signing key signed it.
 */
import { db, type Prisma, type Tx } from '@/lib/db/client'
import { askerIdOf, type Operator, type PeckRow } from '@/lib/domain/pecks/rows'
import { grantStatusOf } from '@/lib/domain/pecks/state'
import { refreshKeys, signingKey } from '@/lib/infrastructure/keys/signing-keys'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { day, secondsAfter } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { randomSecret, seal, sha256, unseal } from '@/lib/kernel/secrets'

/** Spec silent: the token of a permission without an end lives 30 days. A reading in its second half gives a new token. */
const standingSeconds = 30 * day

/** What a stored token is encrypted for: a ciphertext that was moved to another peck does not open there. */
export function grantLabel(peckId: string): string {
  return `grant:${peckId}`
}

interface MintedGrant {
  token: string
  kid: string
  expiresAt: Date
}

/** Signs a grant token (`typ: peck+jwt`) for the peck's asker. Without a row of `GrantToken` nothing accepts the token. */
function mintGrant(peck: PeckRow, now: Date): MintedGrant {
  const until = peck.grantExpiresAt ?? secondsAfter(now, standingSeconds)
  // Rounded up: the permission ends at the database's instant, which is more exact.
  const exp = Math.ceil(until.getTime() / 1000)
  const token = signToken(
    'grant',
    {
      aud: config().baseUrl,
      sub: peck.askerId,
      jti: randomSecret(20),
      iat: numericDate(now),
      exp,
      peck_id: peck.id,
      target: peck.targetDucklingId,
      action: peck.action,
      scope: peck.scope,
      params_hash: peck.paramsHash,
    },
    now,
  )
  return { token, kid: signingKey(now).kid, expiresAt: new Date(exp * 1000) }
}

function rowOf(peck: PeckRow, { token, kid, expiresAt }: MintedGrant, now: Date) {
  return {
    hash: new Uint8Array(sha256(token)),
    peckId: peck.id,
    kid,
    sealed: new Uint8Array(seal(Buffer.from(token), grantLabel(peck.id))),
    createdAt: now,
    expiresAt,
  } satisfies Prisma.GrantTokenCreateManyInput
}

/**
 * Mints a token of a permission, stores its digest and the encrypted token, and returns the token. Called when the target
 * approves.
 */
export async function addGrantToken(tx: Tx, peck: PeckRow, now: Date): Promise<string> {
  const minted = mintGrant(peck, now)
  await tx.grantToken.createMany({ data: [rowOf(peck, minted, now)] })
  return minted.token
}

/** A peck as one caller may read it. */
export interface ReadPeck extends PeckRow {
  /** Null unless the permission is active and the caller is the asker. */
  grantToken: string | null
}

/**
 * Adds the grant token to each active permission that the caller asked for. The operator of an agent does not get the agent's
 * tokens. A permission without a usable token gets a new one, and the tokens from before stay valid until they expire.
 * Must not be called inside a transaction.
 */
export async function withGrantTokens(caller: Operator, pecks: PeckRow[], now: Date): Promise<ReadPeck[]> {
  const added: ReturnType<typeof rowOf>[] = []
  const readable = pecks.filter(
    (peck) => grantStatusOf(peck, now) === 'active' && askerIdOf(caller) === peck.askerId,
  )
  const stored = new Map(readable.map((peck) => [peck.id, storedToken(peck, now)]))
  // A stream or a long poll may have authenticated its caller long ago, and a key may be distrusted since.
  if ([...stored.values()].includes(null)) await refreshKeys()
  const read = pecks.map((peck) => {
    const token = stored.get(peck.id)
    if (token !== null) return { ...peck, grantToken: token ?? null }
    const minted = mintGrant(peck, now)
    added.push(rowOf(peck, minted, now))
    return { ...peck, grantToken: minted.token }
  })
  if (added.length > 0) await db().grantToken.createMany({ data: added })
  return read
}

/** The same for one peck. */
export async function withGrantToken(caller: Operator, peck: PeckRow, now: Date): Promise<ReadPeck> {
  const [read] = await withGrantTokens(caller, [peck], now)
  return read ?? { ...peck, grantToken: null }
}

/** The newest stored token, or null when a new one is needed: there is none, it ends too soon, or it cannot be opened. */
function storedToken(peck: PeckRow, now: Date): string | null {
  const { grantSealed, grantTokenExpiresAt } = peck
  if (grantSealed === null || grantTokenExpiresAt === null) return null
  const isStanding = peck.grantExpiresAt === null
  if (isStanding && grantTokenExpiresAt < secondsAfter(now, standingSeconds / 2)) return null
  try {
    return unseal(grantSealed, grantLabel(peck.id)).toString()
  } catch {
    // Sealed with a secret that this instance does not have. One such row must not make a whole list unreadable.
    return null
  }
}

/**
 * Returns the digest that finds a presented token, or null for a text that cannot be a token. The signature is not checked: only
 * tokens that the service signed and gave out have a stored digest, and a digest cannot be forged with a signing key.
 */
export function grantDigest(token: string): Uint8Array<ArrayBuffer> | null {
  return /^[\w-]+\.[\w-]+\.[\w-]{86}$/.test(token) ? new Uint8Array(sha256(token)) : null
}
