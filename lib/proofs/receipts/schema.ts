/** The shape of an approval receipt (contract D1): what was approved, our signature over it, and the approver's own. */
import canonicalize from 'canonicalize'
import { z } from 'zod'
import { instant } from '@/lib/kernel/fields'
import { Jwks } from './jwks'

/** `ApprovalStatement` of lib/proofs/receipts/statement-text.ts, on the wire. */
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

/** What the approver's passkey made, and the key to check it with. All in base64url; the key is a COSE key. */
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
      description: 'RFC 8785 text of the statement; its SHA-256 is the challenge that the passkey signed.',
    }),
    jws: z.string().meta({
      description: 'Our signature: a JWT (`peck-receipt+jwt`, EdDSA) of statement, decision and passkey.',
    }),
    passkey: PasskeyProof.nullable().meta({ description: 'null where the approval used no passkey' }),
    jwks: Jwks,
  })
  .meta({ id: 'Receipt' })

export type ReceiptInput = z.input<typeof Receipt>

/** RFC 8785 text of the passkey's part: the JWS names it by its SHA-256 in hex. */
export function passkeyText(passkey: PasskeyProof): string {
  return canonicalize(passkey) ?? ''
}
