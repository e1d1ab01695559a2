/**
 * Tokens that contain an id and a secret: `HSK-` or `SSO-`, 26 characters of id, 52 characters of secret (256 bits).
 * The id finds the row. Only the digest of the secret is stored.
 */
import { type IdKind, newId } from './ids'
import { randomSecret, sha256 } from './secrets'

export interface MintedToken {
  id: string
  /** Shown once, never stored. */
  token: string
  secretHash: Uint8Array<ArrayBuffer>
}

const form = /^([A-Z]+-[0-9A-HJKMNP-TV-Z]{26})([0-9A-HJKMNP-TV-Z]{52})$/

const digest = (secret: string) => new Uint8Array(sha256(secret))

/** Generates a token with a new id. Store only `id` and `secretHash`. */
export function mintToken(kind: IdKind, now: Date): MintedToken {
  return mintTokenFor(newId(kind, now))
}

/** Generates a token for an existing row. Storing its digest makes the earlier token of the row invalid. */
export function mintTokenFor(id: string): MintedToken {
  const secret = randomSecret(32)
  return { id, token: `${id}${secret}`, secretHash: digest(secret) }
}

/**
 * Returns the id and the digest of the secret in a token, or null for a malformed token. Does not check the kind of the id: an id
 * of another kind finds no row.
 */
export function readToken(text: string): { id: string; secretHash: Uint8Array<ArrayBuffer> } | null {
  const [, id, secret] = form.exec(text) ?? []
  return id === undefined || secret === undefined ? null : { id, secretHash: digest(secret) }
}
