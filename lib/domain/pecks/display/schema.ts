/** What helps to decide on a peck, on the wire. */

import { displayTypes } from '@beak/decision/param-types'
import { z } from 'zod'
import { instant } from '@/lib/kernel/request/fields'

/** The English text beside it as data, for readers of other languages. Absent for a text of an older version. */
export const WordingField = z
  .object({
    sentence: z.string(),
    values: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Texts, seconds, amounts, or parts with a sentence of their own.' }),
  })
  .meta({
    id: 'Wording',
    description: 'The text beside it as data: a sentence of the service and its values.',
  })
  .optional()

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
    wording: WordingField,
    warning_wording: WordingField,
    domain: z.string().optional().meta({
      description:
        'The part of the host of a URL or email address that its owner registered: show it emphasised.',
    }),
    decides: z.literal(true).optional().meta({ description: 'The value that decides most. Never a secret.' }),
  })
  .meta({ id: 'DisplayValue' })

/** A param in a list of pecks. */
export const RowValue = DisplayValue.pick({
  name: true,
  type: true,
  text: true,
  warning: true,
  wording: true,
  warning_wording: true,
})
  .extend({
    text: z.string().meta({ description: 'At most 1,000 characters, then "…".' }),
    role: z.enum(['amount', 'recipient', 'object', 'other']).optional().meta({
      description:
        'An amount, whom the action reaches, what it is done to by its name, or another name of it.',
    }),
  })
  .meta({ id: 'RowValue' })

/** What the decision page shows of the params. */
export const Display = z
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

/** Earlier requests of an asker for an action. */
export const AskerHistory = z
  .object({
    asked: z.int().meta({ description: 'How often the asker asked you for this action, with this request.' }),
    waiting: z.int().meta({
      description: 'While the peck is pending: how many of them wait for your answer, with this request.',
    }),
    approved: z.int().meta({ description: 'How often you approved it.' }),
    approved_by_rule: z.int().meta({ description: 'How often a rule of yours approved it.' }),
    approved_at: instant.nullable().meta({ description: 'When you or a rule approved it last.' }),
    approved_params: z.record(z.string(), z.unknown()).nullable(),
    approved_values: z
      .array(DisplayValue)
      .meta({ description: 'The params that were approved last, as the decision page shows them.' }),
    used: ApprovalsUsed.nullable().meta({
      description:
        'While the peck is pending: what the asker did with the permissions among its latest 50 requests to you, for any action. Without those that were not used and are still active or were revoked.',
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
