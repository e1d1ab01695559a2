/** The choices of the filters of the inbox: the askers and the actions of the pecks that wait. */

import { isolated, personMark } from '@beak/decision/person-name'
import { riskLevels } from '@beak/decision/risk/levels'
import type { Risk } from '@beak/decision/risk/rules'
import { visible } from '@beak/decision/visible'
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { joinRow, leftJoinRow } from '@/lib/db/sql'
import { AsBefore, asBeforeMeta } from '@/lib/domain/pecks/as-before'
import { DisplayValue, RowValue } from '@/lib/domain/pecks/display/schema'
import { FirstLine, firstLineMeta } from '@/lib/domain/pecks/risk/first-line'
import { riskLevel } from '@/lib/domain/pecks/risk/read'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { Requester, scope } from '@/lib/infrastructure/events/kinds/peck-data'
import { instant } from '@/lib/kernel/request/fields'

/** The most frequent askers and actions, which the answer has as choices of a filter. */
const choicesMax = 100

const Facet = z.object({ value: z.string(), label: z.string(), count: z.int() }).meta({ id: 'InboxFacet' })

/** What the choices need of a peck. */
type Listed = Pick<PeckRow, 'id' | 'askerId' | 'action'>

/** A choice without its label. */
export type ChoiceCount = Omit<z.input<typeof Facet>, 'label'>

/** Counts the rows by their asker or action: the most frequent first, and then the `chosen` one if it is rarer and there. */
export function countChoices(
  rows: Listed[],
  column: 'askerId' | 'action',
  chosen: string | undefined,
): ChoiceCount[] {
  const found = new Map<string, ChoiceCount>()
  for (const { [column]: value } of rows) {
    const choice = found.get(value)
    if (choice === undefined) found.set(value, { value, count: 1 })
    else choice.count += 1
  }
  return [...found.values()]
    .sort((left, right) => right.count - left.count)
    .filter(({ value }, index) => index < choicesMax || value === chosen)
}

/** What the label of an asker is made of. */
type AskerNames = Pick<
  PeckRow,
  'askerId' | 'requesterDucklingId' | 'requesterName' | 'requesterFullName' | 'requesterHandle' | 'agentName'
>

/** Reads the names of the askers who have no peck in `shown`: those pecks have the names of their askers. */
export async function readOtherNames(
  rows: Listed[],
  askers: ChoiceCount[],
  shown: Listed[],
): Promise<AskerNames[]> {
  const isShown = new Set(shown.map(({ askerId }) => askerId))
  const newest = new Map<string, string>()
  for (const { id, askerId } of rows) if (!newest.has(askerId)) newest.set(askerId, id)
  const ids = askers.filter(({ value }) => !isShown.has(value)).map(({ value }) => newest.get(value))
  if (ids.length === 0) return []
  return db().rows`
    SELECT p."askerId", p."requesterDucklingId", r."displayName" AS "requesterName", r."fullName" AS "requesterFullName",
      r."handle" AS "requesterHandle", a."name" AS "agentName"
    FROM "Peck" p
    ${joinRow('Duckling', 'r', 'p."requesterDucklingId"')}
    ${leftJoinRow('Agent', 'a', 'p."requesterAgentId"')}
    WHERE p."id" = ANY(${ids}::text[])`
}

/** Returns the choices with the labels of the askers. `named` has a row for each asker, and `targetId` is the target of their pecks. */
export function withLabels(
  askers: ChoiceCount[],
  named: AskerNames[],
  targetId: string,
): z.input<typeof Facet>[] {
  const labels = new Map(named.map((names) => [names.askerId, askerLabel(names, targetId)]))
  return askers.map(({ value, count }) => ({ value, label: labels.get(value) ?? value, count }))
}

/**
 * Returns the name of an asker, for other people with the handle or the end of the id: two askers may have the same name. Each name is
 * isolated by itself, so that an Arabic one does not turn the handle around.
 */
function askerLabel(
  { agentName, requesterFullName, requesterName, requesterHandle, requesterDucklingId }: AskerNames,
  targetId: string,
): string {
  const inLabel = (name: string) => isolated(visible(name))
  const person = inLabel(requesterFullName ?? requesterName)
  const agent = agentName === null ? null : inLabel(agentName)
  if (requesterDucklingId === targetId) return agent ?? person
  const marked = `${person} (${personMark(requesterHandle ?? undefined, requesterDucklingId)})`
  return agent === null ? marked : `${agent}, ${marked}`
}

/** The orders of the inbox. */

const inboxSorts = ['newest', 'asker', 'risk', 'expiry'] as const
type InboxSort = (typeof inboxSorts)[number]

interface Ordered {
  id: string
  /** The request in whose place it waits. */
  supersedes: string | null
  askerId: string
  /** May be missing unless the order is `expiry`. */
  expiresAt: Date | null
  level: Risk['level']
  isKnown: boolean
  /** An agent of the target asks. */
  isOwn: boolean
}

type Comparison = (left: Ordered, right: Ordered) => number

/** A request that came back after an undo stays in its row. */
const placeOf = ({ id, supersedes }: Ordered) => supersedes ?? id

const newest: Comparison = (left, right) => (placeOf(left) < placeOf(right) ? 1 : -1)

const own: Comparison = (left, right) => Number(right.isOwn) - Number(left.isOwn)

const risk: Comparison = (left, right) =>
  riskLevels.indexOf(right.level) - riskLevels.indexOf(left.level) || own(left, right)

const expiry: Comparison = (left, right) => Number(left.expiresAt) - Number(right.expiresAt)

/** Returns the comparison that groups rows by asker: first own agents, then others whom the target knows, then the asker of the first of `rows`. */
function asker(rows: Ordered[]): Comparison {
  const places = new Map<string, number>()
  for (const { askerId } of rows) if (!places.has(askerId)) places.set(askerId, places.size)
  const rankOf = ({ askerId }: Ordered) => places.get(askerId) ?? 0
  return (left, right) =>
    Number(right.isKnown) - Number(left.isKnown) || own(left, right) || rankOf(left) - rankOf(right)
}

/** Sorts rows in place and returns them. Rows of the same asker or risk, or with the same time left, are newest first. */
export function sortRows<T extends Ordered>(rows: T[], sort: InboxSort): T[] {
  rows.sort(newest)
  if (sort === 'newest') return rows
  return rows.sort({ asker: asker(rows), risk, expiry }[sort])
}

/** The query and the answer of the inbox. */

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
        'Your own agent asks, somebody of whom you have approved something or who may always ask you, or somebody with an invitation of yours. An asker who looks like you, or like somebody you know, is known only after you approved something of exactly this asker.',
    }),
    as_before: AsBefore.nullable().meta(asBeforeMeta),
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
    unknown: z.object({ people: z.int(), pecks: z.int() }).meta({
      description:
        'How many people ask whom you do not know, each with all agents, and how many pecks of theirs wait in the first list: `list=unknown` has them.',
    }),
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
  list: z.enum(['known', 'unknown', 'strangers', 'snoozed']).optional().meta({
    description:
      'Another list: `known` and `unknown` have the two parts of the first list, the requests of askers that you know and of all others, `strangers` has the requests of strangers beyond their budget, `snoozed` those that you answer later.',
  }),
  sort: z.enum(inboxSorts).default('newest').meta({
    description:
      'The order: newest first, grouped by asker (your own agents first, then others whom you know, and of these the asker with the newest peck), highest risk first with your own agents before others, or least time left first.',
  }),
  limit: z
    .string()
    .regex(/^([1-9][0-9]{0,2}|1000)$/, 'must be a whole number from 1 to 1000')
    .transform(Number)
    .default(100)
    .meta({ type: 'integer', pattern: undefined, minimum: 1, maximum: 1000 }),
})
