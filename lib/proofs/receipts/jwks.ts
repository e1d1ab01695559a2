import { z } from 'zod'
import { instant } from '@/lib/kernel/fields'

/** A JSON Web Key Set (RFC 7517) of Ed25519 keys (RFC 8037). `distrusted` is a member of our own, as section 5 allows. */
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
          'Stolen keys. Nothing that such a key signed counts any more. Since `from`, somebody else may have signed with it.',
      }),
  })
  .meta({ id: 'Jwks' })

export type JwksInput = z.input<typeof Jwks>
