import { z } from 'zod'
import { instant } from '@/lib/kernel/request/fields'
import { distrustedKeys, publicKeys, refreshKeys } from './signing-keys'

/** A JSON Web Key Set (RFC 7517) of Ed25519 keys (RFC 8037). `distrusted` is an additional member, as section 5 allows. */
export const Jwks = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string(),
        use: z.literal('sig'),
        alg: z.literal('EdDSA'),
      }),
    ),
    distrusted: z
      .array(z.object({ kid: z.string(), from: instant }))
      .optional()
      .meta({
        description:
          'Stolen keys. Signatures of these keys are not valid. Since `from`, somebody else may have signed with the key.',
      }),
  })
  .meta({ id: 'Jwks' })

type JwksInput = z.input<typeof Jwks>

/** Returns the current trusted and distrusted keys of the database, for `/.well-known/jwks.json`. */
export async function currentKeySet(): Promise<JwksInput> {
  await refreshKeys()
  return { keys: publicKeys(), distrusted: distrustedKeys() }
}
