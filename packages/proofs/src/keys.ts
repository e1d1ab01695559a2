/** The public keys of the service: its key set (`/.well-known/jwks.json`), and how a verifier finds a key in it. */
import * as z from 'zod'

/** Whether no two keys have the same id. Else it would depend on the verifier which key a signature is checked with. */
export function haveOwnIds(keys: { kid?: string | undefined }[]): boolean {
  const ids = keys.flatMap(({ kid }) => kid ?? [])
  return new Set(ids).size === ids.length
}

/** A JSON Web Key Set (RFC 7517). `distrusted` is a member of Beak: stolen keys, whose signatures are not valid. */
export const KeySet = z.object({
  keys: z
    .array(
      z.object({
        kty: z.string(),
        kid: z.string().optional(),
        x: z.string().optional(),
        crv: z.unknown().optional(),
        use: z.unknown().optional(),
        alg: z.unknown().optional(),
      }),
    )
    .max(100)
    .refine(haveOwnIds, 'two keys have the same kid'),
  /** Since `from` (ISO 8601) somebody else may have signed with the key. */
  distrusted: z.array(z.object({ kid: z.string(), from: z.string() })).optional(),
})
export type KeySet = z.infer<typeof KeySet>

/** The result of looking for a key. Only `trusted` may verify anything. */
export type FoundKey =
  /** `x` is the Ed25519 public key in base64url. */
  | { state: 'trusted'; x: string }
  | { state: 'distrusted'; from: string }
  | { state: 'unknown' }
  /** The key set could not be read. `cause` is a sentence without its period. */
  | { state: 'unavailable'; cause: string }

/** Finds keys of the service by their id. */
export interface KeySource {
  find(kid: string): Promise<FoundKey>
}

/** Looks for a key in a key set. Only Ed25519 keys for signatures are found (RFC 8037). */
export function findKey(set: KeySet, kid: string): FoundKey {
  const stolen = set.distrusted?.find((key) => key.kid === kid)
  if (stolen !== undefined) return { state: 'distrusted', from: stolen.from }
  const key = set.keys.find((one) => one.kid === kid)
  const isForSignatures =
    key?.kty === 'OKP' &&
    (key.crv ?? 'Ed25519') === 'Ed25519' &&
    (key.use ?? 'sig') === 'sig' &&
    (key.alg ?? 'EdDSA') === 'EdDSA'
  return isForSignatures && key.x !== undefined ? { state: 'trusted', x: key.x } : { state: 'unknown' }
}

/** Returns the source itself, or a source of exactly the keys of the set. Throws `TypeError` for anything else. */
export function sourceOf(keys: KeySet | KeySource): KeySource {
  if (isSource(keys)) return keys
  const { success, data } = KeySet.safeParse(keys)
  if (!success)
    throw new TypeError(
      'The keys must be a key set (/.well-known/jwks.json) with one key for each kid, or a source of keys.',
    )
  return { find: async (kid) => findKey(data, kid) }
}

const isSource = (keys: object): keys is KeySource => typeof (keys as Partial<KeySource>)?.find === 'function'
