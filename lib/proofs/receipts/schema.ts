/** The schema of an approval receipt (contract D1): the statement, the signature of the service, and the signature of the passkey. */
import canonicalize from 'canonicalize'
import { z } from 'zod'
import { instant } from '@/lib/kernel/fields'
import { Jwks } from './jwks'

/** The schema of `ApprovalStatement` in statement-text.ts. */
export const Statement = z
  .strictObject({
    type: z.literal('beak.peck.approval'),
    version: z.literal(1),
    peck_id: z.string(),
    action: z.string(),
    scope: z.enum(['limited', 'timed', 'standing']),
    params_hash: z.string(),
    requester: z.strictObject({ duckling_id: z.string(), agent_id: z.string().nullable() }),
    target_duckling_id: z.string(),
    created_at: z.string(),
    expires_at: z.string(),
    grant_seconds: z.int().nullable(),
  })
  .meta({ id: 'ApprovalStatement' })

/** The assertion of the passkey of the approver, and its public key as a COSE key. All in base64url. */
export const PasskeyProof = z
  .strictObject({
    credential_id: z.string(),
    public_key: z.string(),
    assertion: z.strictObject({
      authenticatorData: z.string(),
      clientDataJSON: z.string(),
      signature: z.string(),
    }),
  })
  .meta({ id: 'PasskeyProof' })
export type PasskeyProof = z.infer<typeof PasskeyProof>

export const Receipt = z
  .strictObject({
    peck_id: z.string(),
    decided_at: instant,
    statement: Statement,
    statement_text: z.string().meta({
      description:
        'Canonical JSON (RFC 8785) of the statement. Its SHA-256 is the challenge that the passkey signed.',
    }),
    jws: z.string().meta({
      description:
        'Signature of the service: a JWT (`peck-receipt+jwt`, EdDSA) about statement, decision and passkey.',
    }),
    passkey: PasskeyProof.nullable().meta({ description: 'null when the approval used no passkey' }),
    jwks: Jwks,
  })
  .meta({ id: 'Receipt' })

export type ReceiptInput = z.input<typeof Receipt>

/** Returns the canonical JSON (RFC 8785) of the passkey proof. The JWS contains its SHA-256 in hex. */
export function passkeyText(passkey: PasskeyProof): string {
  return canonicalize(passkey) ?? ''
}
