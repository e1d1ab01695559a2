/** A subscription as browsers give it (`PushSubscription.toJSON()`). */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { m } from '@/lib/kernel/messages'

const endpointMax = 1_000

/** Reads the uncompressed point of a public key on P-256. Throws when it is none. */
export function readPoint(bytes: Uint8Array): KeyObject {
  if (bytes.length !== 65 || bytes[0] !== 4) throw new Error('not an uncompressed point on P-256')
  const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: text(1, 33), y: text(33, 65) }
  return createPublicKey({ key: jwk, format: 'jwk' })
}

function isPoint(text: string): boolean {
  try {
    readPoint(Buffer.from(text, 'base64url'))
    return true
  } catch {
    return false
  }
}

/** Some browsers write base64url with padding, which readers ignore. */
const base64url = z.string().regex(/^[A-Za-z0-9_-]{1,100}={0,2}$/)

export const PushSubscription = z
  .object({
    endpoint: z
      .string()
      .max(endpointMax)
      .meta({ description: 'The address at the push service of the browser.' }),
    expirationTime: z.number().nullish(),
    keys: z.object({
      p256dh: base64url.refine(isPoint, { error: () => m.field_must_be_a_push_key() }),
      auth: base64url.refine((text) => Buffer.from(text, 'base64url').length === 16, {
        error: () => m.field_must_be_a_push_secret(),
      }),
    }),
  })
  .meta({ id: 'PushSubscription', description: 'What `PushSubscription.toJSON()` of the browser returns.' })

export type PushSubscription = z.output<typeof PushSubscription>
