/** The query and the answer of the inbox. */
import { z } from 'zod'
import { DisplayValue, RowValue } from '@/lib/domain/pecks/display/schema'
import { FirstLine, firstLineMeta } from '@/lib/domain/pecks/risk/first-line'
import { riskLevel } from '@/lib/domain/pecks/risk/read'
import { Requester, scope } from '@/lib/infrastructure/events/kinds/peck-data'
import { instant } from '@/lib/kernel/fields'
import { choicesMax, Facet } from './inbox-choices'
import { inboxSorts } from './inbox-order'

export const InboxItem = z
  .object({
    peck_id: z.string(),
    requester: Requester,
    action: z.string(),
    scope,
    sentence: z.string().meta({ description: 'What the asker wants, after "wants to".' }),
    value: DisplayValue.nullable().meta({
      description: 'The param that decides most. The text of a secret is hidden.',
    }),
    values: z.array(RowValue).meta({
      description:
        'What tells the peck from others: the first params, always the largest amount and what the action is done to, and the params that the risk comes from. The text of a secret is hidden.',
    }),
    risk_level: riskLevel,
    first_contact: z.boolean().meta({ description: 'Nothing of this asker was approved before.' }),
    first_line: FirstLine.nullable().meta(firstLineMeta),
    known: z.boolean().meta({
      description:
        'Your own agent asks, somebody of whom you have approved something or who may always ask you, or somebody with an invitation of yours.',
    }),
    needs_passkey: z.boolean(),
    created_at: instant,
    expires_at: instant,
    snoozed_until: instant.optional().meta({ description: 'In `list=snoozed`: when it comes back.' }),
  })
  .meta({ id: 'InboxItem' })

export const Inbox = z
  .object({
    items: z.array(InboxItem).meta({ description: 'In the order of `sort`, newest first by default.' }),
    total: z.int().meta({ description: 'Pecks that wait, without filters. 1000 for 1000 and more.' }),
    matching: z.int().meta({ description: 'Pecks that the filters select.' }),
    askers: z.array(Facet).meta({
      description: `The askers of waiting pecks: the ${choicesMax} with the most requests, and the one that the filter names.`,
    }),
    actions: z.array(Facet).meta({
      description: `The actions of waiting pecks: the ${choicesMax} most frequent, and the one that the filter names.`,
    }),
    risks: z.array(Facet),
    strangers: z.int().meta({
      description: 'Pecks of people you do not know, beyond their budget: `list=strangers` has them.',
    }),
    snoozed: z.int().meta({ description: 'Pecks that you answer later: `list=snoozed` has them.' }),
  })
  .meta({ id: 'Inbox' })

export const InboxQuery = z.strictObject({
  asker: z.string().max(80).optional().meta({ description: 'Id of the agent, or of the person, that asks.' }),
  action: z.string().max(97).optional(),
  risk: riskLevel.optional(),
  age: z
    .enum(['hour', 'day', 'older'])
    .optional()
    .meta({ description: 'Sent in the last hour, in the last day, or before.' }),
  q: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Words that must all occur in the names, the action, the params or the message.' }),
  list: z.enum(['strangers', 'snoozed']).optional().meta({
    description:
      'Another list: `strangers` has the requests of strangers beyond their budget, `snoozed` those that you answer later.',
  }),
  sort: z.enum(inboxSorts).default('newest').meta({
    description:
      'The order: newest first, grouped by asker (those whom you know first, and of these the asker with the newest peck), highest risk first, or least time left first.',
  }),
  limit: z
    .string()
    .regex(/^([1-9][0-9]{0,2}|1000)$/, 'must be a whole number from 1 to 1000')
    .transform(Number)
    .default(100)
    .meta({ type: 'integer', pattern: undefined, minimum: 1, maximum: 1000 }),
})
