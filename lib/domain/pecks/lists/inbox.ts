/** The pecks that wait for the caller, one line for each, with filters. */
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { leftJoinRow, type Sql, sql } from '@/lib/db/sql'
import { firstContacts } from '@/lib/domain/pecks/asker-history'
import { alwaysNeedsPasskey } from '@/lib/domain/pecks/decide/decision-proof'
import { displayOf } from '@/lib/domain/pecks/display/display'
import { DisplayValue } from '@/lib/domain/pecks/display/schema'
import { decidingValue } from '@/lib/domain/pecks/display/sort'
import type { Params } from '@/lib/domain/pecks/params'
import { type LevelColumns, riskLevel, storedLevel } from '@/lib/domain/pecks/risk/read'
import { type Risk, riskLevels } from '@/lib/domain/pecks/risk/rules'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { presentAskerTo } from '@/lib/domain/pecks/schema'
import { isPendingAt, isWaitingAt } from '@/lib/domain/pecks/state'
import { Requester, scope } from '@/lib/infrastructure/events/kinds/peck-data'
import type { DucklingContext } from '@/lib/kernel/context'
import { instant } from '@/lib/kernel/fields'
import { isolated, personMark } from '@/lib/kernel/text/person-name'
import { shownAction } from '@/lib/kernel/text/shown-action'
import { visible } from '@/lib/kernel/text/visible'
import { inboxSorts, sortRows } from './inbox-order'

/** An inbox shows the newest 1,000 pecks (contract C, Pecks and grants). Limits for each asker make more of them unlikely. */
const readMax = 1000

const InboxItem = z
  .object({
    peck_id: z.string(),
    requester: Requester,
    action: z.string(),
    scope,
    sentence: z.string().meta({ description: 'What the asker wants, after "wants to".' }),
    value: DisplayValue.nullable().meta({
      description: 'The param that decides most. The text of a secret is hidden.',
    }),
    risk_level: riskLevel,
    first_contact: z.boolean().meta({ description: 'Nothing of this asker was approved before.' }),
    needs_passkey: z.boolean(),
    created_at: instant,
    expires_at: instant,
    snoozed_until: instant.optional().meta({ description: 'In `list=snoozed`: when it comes back.' }),
  })
  .meta({ id: 'InboxItem' })

const Facet = z.object({ value: z.string(), label: z.string(), count: z.int() }).meta({ id: 'InboxFacet' })

export const Inbox = z
  .object({
    items: z.array(InboxItem).meta({ description: 'In the order of `sort`, newest first by default.' }),
    total: z.int().meta({ description: 'Pecks that wait, without filters. 1000 for 1000 and more.' }),
    matching: z.int().meta({ description: 'Pecks that the filters select.' }),
    askers: z.array(Facet).meta({ description: 'Whom you can filter by: all askers of waiting pecks.' }),
    actions: z.array(Facet),
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
      'The order: newest first, grouped by asker (the asker with the newest peck comes first), highest risk first, or least time left first.',
  }),
  limit: z
    .string()
    .regex(/^([1-9][0-9]{0,2}|1000)$/, 'must be a whole number from 1 to 1000')
    .transform(Number)
    .default(100)
    .meta({ type: 'integer', pattern: undefined, minimum: 1, maximum: 1000 }),
})

type Filter = z.output<typeof InboxQuery>

/** Returns the waiting pecks that match the filters, and the numbers of all. */
export async function readInbox(
  { caller, now }: DucklingContext,
  filter: Filter,
): Promise<z.input<typeof Inbox>> {
  const pending = sql`"targetDucklingId" = ${caller.id} AND NOT "blocked" AND ${isPendingAt(now)}`
  const waiting = sql`${pending} AND ${isWaitingAt(now)}`
  const isStranger = strangers(caller.id)
  const newest = sql`ORDER BY "id" DESC LIMIT ${readMax}`
  const lists: Lists = {
    known: sql`${waiting} AND NOT ${isStranger} ${newest}`,
    strangers: sql`${waiting} AND ${isStranger} ${newest}`,
    // With the condition of the index "Peck_snoozed_idx".
    snoozed: sql`${pending} AND "rejectAt" IS NULL AND "snoozedUntil" IS NOT NULL AND "snoozedUntil" > ${now}::timestamptz ${newest}`,
  }
  const name = filter.list ?? 'known'
  const read = filter.q === undefined ? await readBrief(lists, filter) : await readWhole(lists, name, filter)
  const rows = read.filter(({ list }) => list === name)
  const matching = sortRows(
    rows.filter((row) => matches(row, filter, now)),
    filter.sort,
  )
  return {
    strangers: read.filter(({ list }) => list === 'strangers').length,
    snoozed: read.filter(({ list }) => list === 'snoozed').length,
    items: await readItems(caller.id, matching.slice(0, filter.limit), now),
    total: rows.length,
    matching: matching.length,
    askers: facets(
      rows,
      ({ askerId }) => askerId,
      (row) => askerLabel(row, caller.id),
    ),
    actions: facets(rows, ({ action }) => action),
    risks: riskLevels.map((level) => ({
      value: level,
      label: level,
      count: rows.filter((row) => row.level === level).length,
    })),
  }
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

/** Whether a peck waits in the second list: until the target approves something of its asker. */
const strangers = (targetId: string): Sql => sql`("stranger" AND NOT EXISTS (SELECT 1 FROM "AskerHistory" h
  WHERE h."targetDucklingId" = ${targetId} AND h."askerId" = "Peck"."askerId" AND h."approved" > 0))`

/** The names of an asker. Only the newest peck of each asker has them, and only it makes a label. The others have null. */
type AskerNames = Pick<
  PeckRow,
  'requesterDucklingId' | 'requesterName' | 'requesterFullName' | 'requesterHandle' | 'agentName'
>

/** What the counts, the filters and the order need of a peck. */
interface Row extends AskerNames, Pick<PeckRow, 'id' | 'askerId' | 'action'> {
  list: keyof Lists
  level: Risk['level']
  /** The times are missing unless the filter or the order needs them. */
  createdAt: Date | null
  expiresAt: Date | null
  /** The peck itself, when texts are searched. */
  whole?: PeckRow
}

/** The conditions of the lists, each with its order and its limit. */
type Lists = Record<'known' | 'strangers' | 'snoozed', Sql>

/**
 * Reads all lists in one statement. Leaves out the large columns and the times that are not asked for, because an inbox may have many pecks and
 * show few. Only the newest peck of each asker in a list has names: the choices of the filters need them.
 */
async function readBrief(lists: Lists, { age, sort }: Filter): Promise<Row[]> {
  // A stored level needs nothing else, see `storedLevel`.
  const columns = sql`"id", "requesterDucklingId", "requesterAgentId", "askerId", "action", "riskLevel",
    CASE WHEN "riskLevel" IS NULL THEN "scope" END AS "scope", CASE WHEN "riskLevel" IS NULL THEN "params" END AS "params",
    ${age === undefined ? sql`NULL::timestamptz` : sql`"createdAt"`} AS "createdAt",
    ${sort === 'expiry' ? sql`"expiresAt"` : sql`NULL::timestamptz`} AS "expiresAt"`
  const rows = await db().rows<Row & LevelColumns>`
    SELECT p."list", p."id", p."askerId", p."action", p."riskLevel", p."scope", p."params", p."createdAt", p."expiresAt",
      r."id" AS "requesterDucklingId", r."displayName" AS "requesterName", r."fullName" AS "requesterFullName",
      r."handle" AS "requesterHandle", a."name" AS "agentName"
    FROM (SELECT *, row_number() OVER (PARTITION BY "list", "askerId" ORDER BY "id" DESC) = 1 AS "isNamed" FROM (
      (SELECT ${columns}, 'known' AS "list" FROM "Peck" WHERE ${lists.known})
      UNION ALL (SELECT ${columns}, 'strangers' FROM "Peck" WHERE ${lists.strangers})
      UNION ALL (SELECT ${columns}, 'snoozed' FROM "Peck" WHERE ${lists.snoozed})
    ) listed) p
    ${leftJoinRow('Duckling', 'r', 'CASE WHEN p."isNamed" THEN p."requesterDucklingId" END')}
    ${leftJoinRow('Agent', 'a', 'CASE WHEN p."isNamed" THEN p."requesterAgentId" END')}
    ORDER BY p."id" DESC`
  // The rows are changed and not copied, because there may be a thousand.
  for (const row of rows) row.level = storedLevel(row)
  return rows
}

/** Reads the pecks of one list as a whole, and the others without their large columns. */
async function readWhole(lists: Lists, list: keyof Lists, filter: Filter): Promise<Row[]> {
  const [whole, brief] = await Promise.all([
    readPecks(db(), sql`SELECT * FROM "Peck" WHERE ${lists[list]}`),
    readBrief(lists, filter),
  ])
  const searched = whole.map((row) => ({ ...row, list, level: storedLevel(row), whole: row }))
  return [...searched, ...brief.filter((row) => row.list !== list)]
}

/** Returns the lines of the shown pecks, in the given order. */
async function readItems(targetId: string, rows: Row[], now: Date): Promise<z.input<typeof InboxItem>[]> {
  const ids = rows.filter(({ whole }) => whole === undefined).map(({ id }) => id)
  const read =
    ids.length === 0 ? [] : await readPecks(db(), sql`SELECT * FROM "Peck" WHERE "id" = ANY(${ids}::text[])`)
  const found = new Map(read.map((row) => [row.id, row]))
  const shown = rows.flatMap(({ id, level, whole }) => {
    const peck = whole ?? found.get(id)
    return peck === undefined ? [] : [{ peck, level }]
  })
  const pecks = shown.map(({ peck }) => peck)
  const unknown = await firstContacts(db(), targetId, pecks)
  return shown.map(({ peck, level }) => presentItem(peck, { level, isFirst: unknown.has(peck.id), now }))
}

const hourSeconds = 3600
const daySeconds = 86_400

function matches(row: Row, { asker, action, risk, age, q }: Filter, now: Date): boolean {
  const seconds = (now.getTime() - Number(row.createdAt)) / 1000
  const ages = { hour: seconds <= hourSeconds, day: seconds <= daySeconds, older: seconds > daySeconds }
  return (
    (asker === undefined || row.askerId === asker) &&
    (action === undefined || row.action === action) &&
    (risk === undefined || row.level === risk) &&
    (age === undefined || ages[age]) &&
    (q === undefined || (row.whole !== undefined && hasWords(row.whole, q)))
  )
}

function hasWords(row: PeckRow, words: string): boolean {
  const parts = [
    row.agentName,
    row.requesterName,
    row.requesterFullName,
    row.requesterHandle,
    row.action,
    row.params,
    row.message,
    row.audience,
    displayOf(row).sentence,
    // The person searches for what the page shows, which may be in another language.
    shownAction(row.action),
  ]
  const text = parts.join('\n').toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function presentItem(
  row: PeckRow,
  { level, isFirst, now }: { level: Risk['level']; isFirst: boolean; now: Date },
): z.input<typeof InboxItem> {
  const display = displayOf(row)
  return {
    peck_id: row.id,
    requester: presentAskerTo(row),
    action: row.action,
    scope: row.scope,
    sentence: display.sentence,
    value: decidingValue(display, { action: row.action, params: JSON.parse(row.params) as Params }),
    risk_level: level,
    first_contact: isFirst,
    needs_passkey: alwaysNeedsPasskey(row),
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    ...(row.snoozedUntil !== null && row.snoozedUntil > now ? { snoozed_until: row.snoozedUntil } : {}),
  }
}

/** Counts the rows by a value, the most frequent first. */
function facets(
  rows: Row[],
  keyOf: (row: Row) => string,
  labelOf: (row: Row) => string = keyOf,
): z.input<typeof Facet>[] {
  const found = new Map<string, z.input<typeof Facet>>()
  for (const row of rows) {
    const value = keyOf(row)
    const facet = found.get(value)
    if (facet === undefined) found.set(value, { value, label: labelOf(row), count: 1 })
    else facet.count += 1
  }
  return [...found.values()].sort((left, right) => right.count - left.count)
}
