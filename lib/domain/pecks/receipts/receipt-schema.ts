import { PasskeyProof, ReceiptFile, Statement } from '@beak/client/verify/receipts/schema'
import { z } from 'zod'
import { Jwks } from '@/lib/infrastructure/keys/jwks'
import { instant } from '@/lib/kernel/fields'

const { shape } = ReceiptFile

/** A receipt as the API answers it: the receipt that the verifier reads, described for the reference. */
export const Receipt = z
  .strictObject({
    ...shape,
    decided_at: instant,
    statement: Statement.meta({ id: 'ApprovalStatement' }),
    statement_text: shape.statement_text.meta({
      description:
        'Canonical JSON (RFC 8785) of the statement. Its SHA-256 is the challenge that the passkey signed.',
    }),
    jws: shape.jws.meta({
      description:
        'Signature of the service: a JWT (`peck-receipt+jwt`, EdDSA) about statement, decision and passkey.',
    }),
    passkey: PasskeyProof.meta({ id: 'PasskeyProof' }).nullable().meta({
      description:
        'null when no passkey signed this statement. A passkey may have signed version 2: see GET /beak/peck/outcome.',
    }),
    jwks: Jwks,
  })
  .meta({ id: 'Receipt' })

export type ReceiptInput = z.input<typeof Receipt>
