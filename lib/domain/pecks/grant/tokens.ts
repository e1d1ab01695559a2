/**
 * Grant tokens: the asker shows one to the service that it wants to use.
 *
 * A token is a signed JWT, so its holder can read what it permits. Its SHA-256 is stored when it is created, and a permission is
 * found by this digest only. So a token that the service never issued is refused, even when a stolen signing key signed it.
 */

import { permitsNothing } from '@beak/decision/free-text'
import { batched } from '@/lib/db/batch'
import { db, Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { insertAtEnd } from '@/lib/db/transaction'
import { askerIdOf, type Operator, type PeckRow, type PeckWithToken } from '@/lib/domain/pecks/rows'
import { grantStatusOf } from '@/lib/domain/pecks/state'
import { refreshKeys, signingKey } from '@/lib/infrastructure/keys/signing-keys'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { randomSecret, seal, sha256, unseal } from '@/lib/kernel/secrets/secrets'

/**
 * The token of a permission that never expires is valid for 30 days. After 15 days, reading the peck creates a new
 * token.
 */
const standingSeconds = 30 * day

/** Returns the label that a stored token is encrypted with. It names the peck, so a ciphertext cannot be moved to another peck. */
export function grantLabel(peckId: string): string {
  return `grant:${peckId}`
}

interface SignedGrant {
  token: string
  kid: string
  expiresAt: Date
}

/** Signs a grant token (`typ: peck+jwt`) for the peck's asker. The token is refused until its row of `GrantToken` is stored. */
function signGrant(peck: PeckRow, now: Date): SignedGrant {
  const until = peck.grantExpiresAt ?? secondsAfter(now, standingSeconds)
  // Rounded up to whole seconds. The exact end is in the database.
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

/** A peck and its new token. */
interface NewToken {
  peck: PeckRow
  signed: SignedGrant
}

/** Returns the statement that stores new tokens: their digests, and the encrypted tokens. */
function storeTokens(added: NewToken[], now: Date): Sql {
  const rows = added.map(({ peck, signed: { token, kid, expiresAt } }) => {
    const sealed = seal(Buffer.from(token), grantLabel(peck.id))
    return sql`(${sha256(token)}, ${peck.id}, ${kid}, ${sealed}, ${now}::timestamptz, ${expiresAt}::timestamptz)`
  })
  return sql`
    INSERT INTO "GrantToken" ("hash", "peckId", "kid", "sealed", "createdAt", "expiresAt") VALUES ${Prisma.join(rows)}`
}

/**
 * Creates and stores a token of a permission, and returns it. Called by each approval, of the target and of a rule. Undefined: the approval permits
 * nothing.
 */
export function addGrantToken(tx: Tx, peck: PeckRow, now: Date): string | undefined {
  if (permitsNothing(peck.action)) return undefined
  const signed = signGrant(peck, now)
  insertAtEnd(tx, storeTokens([{ peck, signed }], now))
  return signed.token
}

/**
 * Returns the grant tokens of the active permissions that the caller asked for, by peck id. The operator of an agent does not get
 * the agent's tokens. A permission without a usable token gets a new one, and older tokens stay valid until they expire. Do not call
 * it inside a transaction.
 */
export async function grantTokensOf(
  caller: Operator,
  pecks: (PeckRow | PeckWithToken)[],
  now: Date,
): Promise<Map<string, string>> {
  const readable = pecks.filter(
    (peck) =>
      // Another instance may read the clock a moment before a grant that permits nothing ended.
      grantStatusOf(peck, now) === 'active' &&
      askerIdOf(caller) === peck.askerId &&
      !permitsNothing(peck.action),
  )
  const stored = await Promise.all(readable.map((peck) => readToken(peck, now)))
  // A stream or a long poll may have started before a key was distrusted.
  if (stored.includes(null)) await refreshKeys()
  const added: NewToken[] = []
  const tokens = readable.map((peck, index): [string, string] => {
    const known = stored[index]
    if (known) return [peck.id, known]
    const signed = signGrant(peck, now)
    added.push({ peck, signed })
    return [peck.id, signed.token]
  })
  if (added.length > 0) await db().run`${storeTokens(added, now)}`
  return new Map(tokens)
}

interface StoredToken {
  peckId: string
  /** The token, encrypted. */
  sealed: Uint8Array
  expiresAt: Date
}

/** Finds the newest token of a peck that a trusted key signed. */
const findToken = batched<StoredToken>(
  ({ peckId }) => peckId,
  (peckIds) => db().rows`
    SELECT DISTINCT ON (t."peckId") t."peckId", t."sealed", t."expiresAt"
    FROM "GrantToken" t JOIN "SigningKey" k ON k."kid" = t."kid"
    WHERE t."peckId" = ANY(${peckIds}::text[]) AND k."distrustedAt" IS NULL
    ORDER BY t."peckId", t."createdAt" DESC`,
)

/** Returns the token that was read together with its peck, or null. */
const tokenIn = ({ id, tokenSealed, tokenExpiresAt }: PeckWithToken): StoredToken | null =>
  tokenSealed === null || tokenExpiresAt === null
    ? null
    : { peckId: id, sealed: tokenSealed, expiresAt: tokenExpiresAt }

/** Returns the newest stored token. Null when there is none, it expires too soon, or it cannot be decrypted. */
async function readToken(peck: PeckRow | PeckWithToken, now: Date): Promise<string | null> {
  const { id, grantExpiresAt } = peck
  const stored = 'tokenSealed' in peck ? tokenIn(peck) : await findToken(id)
  if (stored === null) return null
  const isStanding = grantExpiresAt === null
  if (isStanding && stored.expiresAt < secondsAfter(now, standingSeconds / 2)) return null
  try {
    return unseal(stored.sealed, grantLabel(id)).toString()
  } catch {
    // Encrypted with a secret that this instance does not have. One such row must not make a whole list fail.
    return null
  }
}

/**
 * Returns the digest of a presented token, or null for a malformed token. The signature is not checked: only tokens that the
 * service issued have a stored digest.
 */
export function grantDigest(token: string): Uint8Array<ArrayBuffer> | null {
  return /^[\w-]+\.[\w-]+\.[\w-]{86}$/.test(token) ? new Uint8Array(sha256(token)) : null
}
