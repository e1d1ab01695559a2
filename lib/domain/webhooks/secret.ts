/** The secrets of endpoints and the signatures of messages (Standard Webhooks, "Signature scheme"). */
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { hour } from '@/lib/kernel/runtime/clock'
import { seal, unseal } from '@/lib/kernel/secrets/secrets'

/** How long the old secret also signs after a rotation. */
export const rotationSeconds = 24 * hour

/** Returns a new secret: `shown` for the owner, and `sealed` for the endpoint's row. It can be opened only for that endpoint. */
export function mintSecret(webhookId: string): { shown: string; sealed: Uint8Array<ArrayBuffer> } {
  const key = randomBytes(32)
  return { shown: `whsec_${key.toString('base64')}`, sealed: new Uint8Array(seal(key, webhookId)) }
}

export interface Signer {
  id: string
  secret: Uint8Array
  previousSecret: Uint8Array | null
  previousSecretUntil: Date | null
}

/** Returns the signing headers of one attempt. During a rotation there are two signatures. The signature with the new secret comes first. */
export function signingHeaders(
  signer: Signer,
  messageId: string,
  body: string,
  now: Date,
): Record<string, string> {
  const { id, secret, previousSecret, previousSecretUntil } = signer
  const isRotating = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now
  const signatures = [secret, ...(isRotating ? [previousSecret] : [])].map((sealed) =>
    new Webhook(unseal(sealed, id), { format: 'raw' }).sign(messageId, now, body),
  )
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}
