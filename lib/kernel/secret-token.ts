/**
 * Tokens that are id and secret in one string (contract A): `HSK-` or `SSO-`, 26 characters of id, 52 of secret (256 bits).
 * The id finds the row, the secret opens it; only the secret's digest is stored.
 */
import { type IdKind, newId } from './ids'
import { randomSecret, sha256 } from './secrets'

export interface MintedToken {
  id: string
  /** The token itself: shown once, never stored. */
  token: string
  secretHash: Uint8Array<ArrayBuffer>
}

const form = /^([A-Z]+-[0-9A-HJKMNP-TV-Z]{26})([0-9A-HJKMNP-TV-Z]{52})$/

const digest = (secret: string) => new Uint8Array(sha256(secret))

/** Mints a token. Only `id` and `secretHash` may be stored. */
export function mintToken(kind: IdKind, now: Date): MintedToken {
  return mintTokenFor(newId(kind, now))
}

/** Mints a token for a row that exists already; an earlier token of the row dies with its digest. */
export function mintTokenFor(id: string): MintedToken {
  const secret = randomSecret(32)
  return { id, token: `${id}${secret}`, secretHash: digest(secret) }
}

/**
 * The two halves of a presented token, the secret as its digest; null when the text does not have the form. The kind needs
 * no check of its own: an id of another kind finds no row.
 */
export function readToken(text: string): { id: string; secretHash: Uint8Array<ArrayBuffer> } | null {
  const [, id, secret] = form.exec(text) ?? []
  return id === undefined || secret === undefined ? null : { id, secretHash: digest(secret) }
}
