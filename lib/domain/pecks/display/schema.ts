/** What helps to decide on a peck, on the wire. */
import { z } from 'zod'
import { instant } from '@/lib/kernel/fields'
import { displayTypes } from '@/lib/kernel/param-types'

/** How the decision page shows a param. */
export const DisplayValue = z
  .object({
    name: z.string(),
    type: z.enum(displayTypes),
    text: z.string(),
    warning: z
      .string()
      .optional()
      .meta({ description: 'A warning about the value, written by the service.' }),
    domain: z.string().optional().meta({
      description:
        'The part of the host of a URL or email address that its owner registered: show it emphasised.',
    }),
    decides: z.literal(true).optional().meta({ description: 'The value that decides most. Never a secret.' }),
  })
  .meta({ id: 'DisplayValue' })

const Display = z
  .object({
    version: z.int(),
    sentence: z
      .string()
      .meta({ description: 'What is asked. Show it after the name of the asker and "wants to".' }),
    values: z.array(DisplayValue).meta({
      description:
        'Sorted: values with a warning, secrets, the largest amounts, what the action is done to. Show them in this order.',
    }),
  })
  .meta({
    id: 'PeckDisplay',
    description:
      'What the decision page shows. A receipt of version 2 has the hash of the same values, in the order of the params.',
  })

const ApprovalsUsed = z
  .object({ approvals: z.int(), uses: z.int(), last_used_at: instant.nullable() })
  .meta({ id: 'ApprovalsUsed' })

const AskerHistory = z
  .object({
    asked: z.int().meta({ description: 'How often the asker asked you for this action, with this request.' }),
    approved: z.int(),
    approved_at: instant.nullable(),
    approved_params: z.record(z.string(), z.unknown()).nullable(),
    approved_values: z
      .array(DisplayValue)
      .meta({ description: 'The params that you approved last, as the decision page shows them.' }),
    used: ApprovalsUsed.nullable().meta({
      description:
        'While the peck is pending: what the asker did with the approvals among its latest 50 requests to you, for any action.',
    }),
    differs: z
      .array(z.string())
      .meta({ description: 'Names of the params that differ from those approved last.' }),
  })
  .meta({ id: 'AskerHistory' })

/** A use of a permission. */
export const PeckUse = z
  .object({
    number: z.int().meta({ description: 'Counts the uses of the permission, from 1.' }),
    used_at: instant,
    audience: z.string().nullable().meta({
      description:
        'Host name that the service gave for itself, which nobody has checked. Null: it gave none.',
    }),
  })
  .meta({ id: 'PeckUse' })

export type PeckUseInput = z.input<typeof PeckUse>

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
