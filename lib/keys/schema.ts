import { z } from 'zod'

/** A JSON Web Key Set (RFC 7517) of Ed25519 keys (RFC 8037). */
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
  })
  .meta({ id: 'Jwks' })
