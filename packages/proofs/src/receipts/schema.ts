/** The schema of an approval receipt (contract D1): the statement, the signature of the service, and the signature of the passkey. */
import * as z from 'zod'
import { canonicalText } from '../canonical'
import { haveOwnIds } from '../keys'
import { Instant, secondsMax } from './decision-statement'

/** The schema of `ApprovalStatement` in statement-text.ts. */
export const Statement = z.strictObject({
  type: z.literal('beak.peck.approval'),
  version: z.literal(1),
  peck_id: z.string(),
  action: z.string(),
  scope: z.enum(['limited', 'timed', 'standing']),
  params_hash: z.string(),
  requester: z.strictObject({ duckling_id: z.string(), agent_id: z.string().nullable() }),
  target_duckling_id: z.string(),
  created_at: Instant,
  expires_at: Instant,
  grant_seconds: z.int().min(0).max(secondsMax).nullable(),
})

/** The assertion of the passkey of the approver, and its public key as a COSE key. All in base64url. */
export const PasskeyProof = z.strictObject({
  credential_id: z.string(),
  public_key: z.string(),
  assertion: z.strictObject({
    authenticatorData: z.string(),
    clientDataJSON: z.string(),
    signature: z.string(),
  }),
})
export type PasskeyProof = z.infer<typeof PasskeyProof>

/** A receipt in a file. `jws` is a JWT (`peck-receipt+jwt`) about statement, decision and passkey. */
export const ReceiptFile = z.strictObject({
  peck_id: z.string(),
  decided_at: Instant,
  statement: Statement,
  statement_text: z.string(),
  jws: z.string(),
  passkey: PasskeyProof.nullable(),
  jwks: z.strictObject({
    keys: z
      .array(
        z.strictObject({
          kty: z.literal('OKP'),
          crv: z.literal('Ed25519'),
          x: z.string(),
          kid: z.string(),
          use: z.literal('sig'),
          alg: z.literal('EdDSA'),
        }),
      )
      .max(100)
      .refine(haveOwnIds),
    distrusted: z.array(z.strictObject({ kid: z.string(), from: z.string() })).optional(),
  }),
})
export type ReceiptFile = z.infer<typeof ReceiptFile>

/** Returns the canonical JSON (RFC 8785) of the passkey proof. The JWS contains its SHA-256 in hex. */
export function passkeyText(passkey: PasskeyProof): string {
  return canonicalText(passkey)
}
