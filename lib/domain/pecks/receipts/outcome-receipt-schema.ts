import { DecisionStatement2, DecisionStatement3 } from '@beak/proofs/receipts/decision-statement'
import {
  DecisionProof2,
  DecisionProof3,
  Enrolment,
  Logged,
  OutcomeFile2,
  ReceiptValues,
  RuleProof,
} from '@beak/proofs/receipts/outcome-schema'
import { z } from 'zod'
import { peckId } from '@/lib/domain/pecks/schema'
import { Requester } from '@/lib/infrastructure/events/kinds/peck-data'
import { Jwks } from '@/lib/infrastructure/keys/key-set'
import { instant } from '@/lib/kernel/request/fields'

const { shape } = OutcomeFile2
const passkeyText =
  'null when no passkey signed the decision, and when it signed version 1 and the receipt leaves params out'

/** What receipts of versions 2 and 3 share, as the API answers them: what the verifier reads, described for the reference. */
const file = {
  peck_id: shape.peck_id,
  outcome: shape.outcome.meta({
    description:
      '`consumed`: a permission for one use was used. `revoked`: the permission was revoked after the approval.',
  }),
  statement_text: shape.statement_text.meta({
    description: 'Canonical JSON (RFC 8785) of the statement, whose SHA-256 the passkey signed.',
  }),
  jws: shape.jws.meta({
    description: 'Signature of the service: a JWT (`peck-receipt+jwt`, EdDSA).',
  }),
  enrolment: Enrolment.meta({ id: 'PasskeyEnrolment' }).nullable().meta({
    description: 'Proof that the transparency log has the passkey, in the state that the statement names.',
  }),
  values: ReceiptValues.meta({ id: 'ReceiptValues' })
    .optional()
    .meta({ description: 'The values behind the salted hashes.' }),
  jwks: Jwks,
}

export const OutcomeReceipt = z
  .discriminatedUnion('version', [
    z.strictObject({
      version: z.literal(2),
      statement: DecisionStatement2.meta({ id: 'DecisionStatement' }),
      passkey: DecisionProof2.meta({ id: 'DecisionProof' }).nullable().meta({ description: passkeyText }),
      ...file,
    }),
    z.strictObject({
      version: z.literal(3),
      statement: DecisionStatement3.meta({ id: 'DecisionStatement3' }),
      passkey: DecisionProof3.meta({ id: 'DecisionProof3' }).nullable().meta({ description: passkeyText }),
      logged: Logged.meta({ id: 'LoggedEntries' }).nullable().meta({
        description:
          'What the transparency log has about it: the decision, the newest use, and the revocation. null until the log has the decision, within a minute, and in the answer to a use.',
      }),
      rule: RuleProof.meta({ id: 'RuleProof' }).optional().meta({
        description:
          'The rule that answered, with the signature of the passkey over it and its budget before and after. Only when a rule answered, and left out together with the values, because a rule names values.',
      }),
      ...file,
    }),
  ])
  .meta({ id: 'OutcomeReceipt' })

export type OutcomeReceiptInput = z.input<typeof OutcomeReceipt>

export const ShareRequest = z.strictObject({
  peck_id: peckId,
  values: z.boolean().default(false).meta({
    description:
      'Whether the page also shows the params and what the decision page displayed. It never shows secret values: with one, it shows only the other params.',
  }),
})

export const Share = z
  .object({
    peck_id: z.string(),
    share_id: z.string(),
    url: z.string().meta({ description: 'The public page of the receipt.' }),
    values: z.boolean(),
    shared_at: instant,
  })
  .meta({ id: 'ReceiptShare' })

export const ShareEnded = z.object({ success: z.literal(true), peck_id: z.string() })

/** 16 random bytes in Crockford's base32. */
export const shareId = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, 'must be the id in the link of a receipt')

export const SharedReceipt = z
  .object({
    receipt: OutcomeReceipt,
    requester: Requester,
    target: z.object({
      duckling_id: z.string(),
      display_name: z.string(),
      full_name: z
        .string()
        .optional()
        .meta({ description: 'The name in any script, if the person had one.' }),
    }),
    shared_by: z.enum(['requester', 'target']),
    shared_at: instant,
  })
  .meta({ id: 'SharedReceipt' })
