import { DecisionStatement } from '@beak/client/verify/receipts/decision-statement'
import {
  DecisionProof,
  Enrolment,
  OutcomeFile,
  ReceiptValues,
} from '@beak/client/verify/receipts/outcome-schema'
import { z } from 'zod'
import { Jwks } from '@/lib/infrastructure/keys/jwks'

const { shape } = OutcomeFile

/** A receipt of version 2 as the API answers it: the receipt that the verifier reads, described for the reference. */
export const OutcomeReceipt = z
  .strictObject({
    ...shape,
    outcome: shape.outcome.meta({
      description:
        '`consumed`: a permission for one use was used. `revoked`: the permission was revoked after the approval.',
    }),
    statement: DecisionStatement.meta({ id: 'DecisionStatement' }),
    statement_text: shape.statement_text.meta({
      description: 'Canonical JSON (RFC 8785) of the statement, whose SHA-256 the passkey signed.',
    }),
    jws: shape.jws.meta({
      description: 'Signature of the service: a JWT (`peck-receipt+jwt`, EdDSA).',
    }),
    passkey: DecisionProof.meta({ id: 'DecisionProof' }).nullable().meta({
      description:
        'null when no passkey signed the decision, and when it signed version 1 and the receipt leaves params out',
    }),
    enrolment: Enrolment.meta({ id: 'PasskeyEnrolment' }).nullable().meta({
      description: 'Proof that the transparency log had the passkey before the decision.',
    }),
    values: ReceiptValues.meta({ id: 'ReceiptValues' })
      .optional()
      .meta({ description: 'The values behind the salted hashes.' }),
    jwks: Jwks,
  })
  .meta({ id: 'OutcomeReceipt' })

export type OutcomeReceiptInput = z.input<typeof OutcomeReceipt>
