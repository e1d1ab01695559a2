/** The details of a peck, on the wire. */
import { z } from 'zod'
import { AskerHistory, Display, PeckUse } from '@/lib/domain/pecks/display/schema'
import { FirstLine, firstLineMeta } from '@/lib/domain/pecks/risk/first-line'
import { instant } from '@/lib/kernel/fields'

export const PeckDetails = z
  .object({
    peck_id: z.string(),
    grant_seconds: z
      .int()
      .nullable()
      .meta({ description: 'Lifetime asked for the grant. Null: until it is revoked.' }),
    requester_cert_id: z
      .string()
      .nullable()
      .meta({ description: 'Active certificate of the person behind the request.' }),
    requester_blocked: z.boolean().meta({ description: 'Whether you block that person.' }),
    first_contact: z
      .boolean()
      .meta({ description: 'For the target only: you have not approved anything of this asker so far.' }),
    first_line: FirstLine.nullable().meta(firstLineMeta),
    signed: z.boolean().meta({ description: 'Whether a passkey signed the approval.' }),
    grant_revoked_at: instant.nullable(),
    last_uses: z
      .array(PeckUse)
      .meta({ description: 'The newest three uses. GET /beak/peck/uses has those before.' }),
    shared: z
      .object({ url: z.string(), values: z.boolean() })
      .nullable()
      .meta({ description: 'The public page of the receipt, while you share it.' }),
    shared_by_requester: z.object({ url: z.string(), values: z.boolean() }).nullable().meta({
      description:
        'For the target only: the public page of the receipt, while the requester shares it. POST /beak/peck/unshare ends it.',
    }),
    imitates_service: z.array(z.enum(['message', 'params'])).meta({
      description:
        'Where words of the asker sound like the service or a security team. The service writes in neither.',
    }),
    display: Display,
    asker_history: AskerHistory.nullable().meta({
      description: 'For the target only: earlier requests of this asker for this action.',
    }),
  })
  .meta({ id: 'PeckDetails' })

export type PeckDetailsInput = z.input<typeof PeckDetails>
