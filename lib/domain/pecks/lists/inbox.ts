/** The pecks that wait for the caller, one line for each, with filters. */
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
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
import { shownAction } from '@/lib/kernel/text/shown-action'
import { choicesMax, countChoices, Facet, readOtherNames, withLabels } from './inbox-choices'
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
type Output = z.input<typeof Inbox>

/** Returns the waiting pecks that match the filters, and the numbers of all. */
export async function readInbox({ caller, now }: DucklingContext, filter: Filter): Promise<Output> {
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
  const { rows, counts } = await (filter.q === undefined ? readBrief : readWhole)(lists, name, filter)
  const matching = sortRows(
    rows.filter((row) => matches(row, filter, now)),
    filter.sort,
  )
  const shown = matching.slice(0, filter.limit)
  const askers = countChoices(rows, 'askerId', filter.asker)
  const [pecks, names] = await Promise.all([readShown(shown), readOtherNames(rows, askers, shown)])
  const named = [...names, ...pecks.map(({ peck }) => peck)]
  const actions = countChoices(rows, 'action', filter.action)
  return {
    ...counts,
    items: await presentItems(caller.id, pecks, now),
    total: rows.length,
    matching: matching.length,
    askers: withLabels(askers, named, caller.id),
    actions: actions.map(({ value, count }) => ({ value, label: value, count })),
    risks: riskLevels.map((level) => ({
      value: level,
      label: level,
      count: rows.filter((row) => row.level === level).length,
    })),
  }
}

/** Whether a peck waits in the second list: until the target approves something of its asker. */
const strangers = (targetId: string): Sql => sql`("stranger" AND NOT EXISTS (SELECT 1 FROM "AskerHistory" h
  WHERE h."targetDucklingId" = ${targetId} AND h."askerId" = "Peck"."askerId" AND h."approved" > 0))`

/** What the counts, the filters and the order need of a peck. */
interface Row extends Pick<PeckRow, 'id' | 'askerId' | 'action'> {
  level: Risk['level']
  /** The times are missing unless the filter or the order needs them. */
  createdAt: Date | null
  expiresAt: Date | null
  /** The peck itself, when texts are searched. */
  whole?: PeckRow
}

/** The conditions of the lists, each with its order and its limit. */
type Lists = Record<'known' | 'strangers' | 'snoozed', Sql>

/** The pecks of one list, and how many the two further lists have. */
interface Read {
  rows: Row[]
  counts: Counts
}

type Counts = Pick<Output, 'strangers' | 'snoozed'>

/** The counts of the two further lists, as columns. */
const countColumns = ({ strangers, snoozed }: Lists): Sql => sql`
  (SELECT count(*)::int FROM (SELECT FROM "Peck" WHERE ${strangers}) listed) AS "strangers",
  (SELECT count(*)::int FROM (SELECT FROM "Peck" WHERE ${snoozed}) listed) AS "snoozed"`

/**
 * Reads what the counts, the filters and the order need of each peck of a list, with one statement. An inbox may have a thousand pecks and show
 * few. The statement returns a row without a peck when the list is empty.
 */
async function readBrief(lists: Lists, name: keyof Lists, { age, sort }: Filter): Promise<Read> {
  // Pecks with a stored level need neither scope nor params, see `storedLevel`.
  const read = await db().rows<Counts & ((Row & LevelColumns) | { id: null })>`
    SELECT c."strangers", c."snoozed", p.*
    FROM (SELECT ${countColumns(lists)}) c LEFT JOIN LATERAL (
      SELECT "id", "askerId", "action", "riskLevel",
        CASE WHEN "riskLevel" IS NULL THEN "scope" END AS "scope", CASE WHEN "riskLevel" IS NULL THEN "params" END AS "params",
        ${age === undefined ? sql`NULL::timestamptz` : sql`"createdAt"`} AS "createdAt",
        ${sort === 'expiry' ? sql`"expiresAt"` : sql`NULL::timestamptz`} AS "expiresAt"
      FROM "Peck" WHERE ${lists[name]}
    ) p ON true
    ORDER BY p."id" DESC`
  const [{ strangers, snoozed } = { strangers: 0, snoozed: 0 }] = read
  const rows = read.filter((row) => row.id !== null)
  // The rows are changed and not copied, because there may be a thousand.
  for (const row of rows) row.level = storedLevel(row)
  return { rows, counts: { strangers, snoozed } }
}

/** Reads the pecks of a list with all their texts. */
async function readWhole(lists: Lists, name: keyof Lists): Promise<Read> {
  const [pecks, [counts = { strangers: 0, snoozed: 0 }]] = await Promise.all([
    readPecks(db(), sql`SELECT * FROM "Peck" WHERE ${lists[name]}`),
    db().rows<Counts>`SELECT ${countColumns(lists)}`,
  ])
  return { rows: pecks.map((peck) => ({ ...peck, level: storedLevel(peck), whole: peck })), counts }
}

/** Returns the pecks of rows with all that is shown, and the level of each, in the given order. */
async function readShown(rows: Row[]): Promise<Shown[]> {
  const ids = rows.filter(({ whole }) => whole === undefined).map(({ id }) => id)
  const read =
    ids.length === 0 ? [] : await readPecks(db(), sql`SELECT * FROM "Peck" WHERE "id" = ANY(${ids}::text[])`)
  const found = new Map(read.map((row) => [row.id, row]))
  return rows.flatMap(({ id, level, whole }) => {
    const peck = whole ?? found.get(id)
    return peck === undefined ? [] : [{ peck, level }]
  })
}

interface Shown {
  peck: PeckRow
  level: Risk['level']
}

async function presentItems(
  targetId: string,
  shown: Shown[],
  now: Date,
): Promise<z.input<typeof InboxItem>[]> {
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
