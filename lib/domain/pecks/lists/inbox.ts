/** The pecks that wait for the caller, one line for each, with filters. */

import { sentenceOf } from '@beak/decision/display/display'
import { riskLevels } from '@beak/decision/risk/levels'
import type { Risk } from '@beak/decision/risk/rules'
import type { z } from 'zod'
import { db } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { asBeforeOf } from '@/lib/domain/pecks/as-before'
import { type FirstRead, firstLinesOf } from '@/lib/domain/pecks/asker-history'
import { alwaysNeedsPasskey } from '@/lib/domain/pecks/decide/approve'
import { type LevelColumns, storedLevel } from '@/lib/domain/pecks/risk/read'
import { type PeckRow, readAtOnce, readPecks } from '@/lib/domain/pecks/rows'
import { presentAskerTo } from '@/lib/domain/pecks/schema'
import { isAmongKnown, isPendingAt, isWaitingAt } from '@/lib/domain/pecks/state'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { inSlices } from '@/lib/kernel/runtime/slices'
import { shownAction } from '@/lib/kernel/text/shown-action'
import { searchForm } from '@/lib/kernel/typed/search'
import {
  countChoices,
  type Inbox,
  type InboxItem,
  type InboxQuery,
  readOtherNames,
  sortRows,
  withLabels,
} from './inbox-schema'
import { type Line, linesOf } from './shown'

/** An inbox shows the newest 1,000 pecks. Limits for each asker make more of them unlikely. */
const readMax = 1000

type Filter = z.output<typeof InboxQuery>
type Output = z.input<typeof Inbox>

/** Returns the waiting pecks that match the filters, and the numbers of all. */
export async function readInbox({ caller, now }: DucklingContext, filter: Filter): Promise<Output> {
  const pending = sql`"targetDucklingId" = ${caller.id} AND NOT "blocked" AND ${isPendingAt(now)}`
  const waiting = sql`${pending} AND ${isWaitingAt(now)}`
  const isStranger = strangers(caller.id)
  const newest = sql`ORDER BY "id" DESC LIMIT ${readMax}`
  const first = sql`${waiting} AND NOT ${isStranger}`
  const isKnown = isAmongKnown(caller.id)
  const lists: Lists = {
    first: sql`${first} ${newest}`,
    known: sql`${first} AND ${isKnown} ${newest}`,
    unknown: sql`${first} AND NOT ${isKnown} ${newest}`,
    strangers: sql`${waiting} AND ${isStranger} ${newest}`,
    // With the condition of the index "Peck_snoozed_idx".
    snoozed: sql`${pending} AND "rejectAt" IS NULL AND "snoozedUntil" IS NOT NULL AND "snoozedUntil" > ${now}::timestamptz ${newest}`,
  }
  const name = filter.list ?? 'first'
  const read = filter.q === undefined ? readBrief : readWhole
  const { rows, counts } = await read(caller.id, lists, name, filter)
  const matched = await inSlices(rows, weightOf, (row) => matches(row, filter, now))
  const matching = sortRows(
    rows.filter((_, index) => matched[index]),
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
interface Row extends Pick<PeckRow, 'id' | 'supersedes' | 'askerId' | 'action'> {
  level: Risk['level']
  /** The times are missing unless the filter or the order needs them. */
  createdAt: Date | null
  expiresAt: Date | null
  isKnown: boolean
  isOwn: boolean
  /** The peck itself, when texts are searched. */
  whole?: PeckRow
}

/** The conditions of the lists, each with its order and its limit. */
type Lists = Record<'first' | 'known' | 'unknown' | 'strangers' | 'snoozed', Sql>

/** The pecks of one list, and how many the further lists have. */
interface Read {
  rows: Row[]
  counts: Counts
}

type Counts = Pick<Output, 'unknown' | 'strangers' | 'snoozed'>

const noCounts: Counts = { unknown: { people: 0, pecks: 0 }, strangers: 0, snoozed: 0 }

/** The counts of the further lists, as columns. An agent and its owner are one person. */
const countColumns = ({ unknown, strangers, snoozed }: Lists): Sql => sql`
  (SELECT json_build_object('people', count(DISTINCT "requesterDucklingId"), 'pecks', count(*))
    FROM (SELECT "requesterDucklingId" FROM "Peck" WHERE ${unknown}) listed) AS "unknown",
  (SELECT count(*)::int FROM (SELECT FROM "Peck" WHERE ${strangers}) listed) AS "strangers",
  (SELECT count(*)::int FROM (SELECT FROM "Peck" WHERE ${snoozed}) listed) AS "snoozed"`

/**
 * Reads what the counts, the filters and the order need of each peck of a list, with one statement. An inbox may have a thousand pecks and show
 * few. The statement returns a row without a peck when the list is empty.
 */
async function readBrief(
  targetId: string,
  lists: Lists,
  name: keyof Lists,
  { age, sort }: Filter,
): Promise<Read> {
  // Pecks with a stored level need neither scope nor params, see `storedLevel`.
  const read = await db().rows<Counts & ((Row & LevelColumns) | { id: null })>`
    SELECT c.*, p.*
    FROM (SELECT ${countColumns(lists)}) c LEFT JOIN LATERAL (
      SELECT "id", "supersedes", "askerId", "action", "riskLevel",
        CASE WHEN "riskLevel" IS NULL THEN "scope" END AS "scope", CASE WHEN "riskLevel" IS NULL THEN "params" END AS "params",
        ${age === undefined ? sql`NULL::timestamptz` : sql`"createdAt"`} AS "createdAt",
        ${sort === 'expiry' ? sql`"expiresAt"` : sql`NULL::timestamptz`} AS "expiresAt",
        ${isAmongKnown(targetId)} AS "isKnown", "requesterDucklingId" = ${targetId} AS "isOwn"
      FROM "Peck" WHERE ${lists[name]}
    ) p ON true
    ORDER BY p."id" DESC`
  const [{ unknown, strangers, snoozed } = noCounts] = read
  const rows = read.filter((row) => row.id !== null)
  // The rows are changed and not copied, because there may be a thousand.
  for (const row of rows) row.level = storedLevel(row)
  return { rows, counts: { unknown, strangers, snoozed } }
}

/** Reads the pecks of a list with all their texts. */
async function readWhole(targetId: string, lists: Lists, name: keyof Lists, filter: Filter): Promise<Read> {
  const { rows, counts } = await readBrief(targetId, lists, name, filter)
  const found = await readTexts(rows.map(({ id }) => id))
  // The rows are changed and not copied, because there may be a thousand.
  for (const row of rows) {
    const whole = found.get(row.id)
    if (whole !== undefined) row.whole = whole
  }
  return { rows: rows.filter(({ whole }) => whole !== undefined), counts }
}

/** Reads pecks with all their texts, so many with each statement that the answer is not read in one long piece. */
async function readTexts(ids: string[]): Promise<Map<string, PeckRow>> {
  const found = new Map<string, PeckRow>()
  for (let start = 0; start < ids.length; start += readAtOnce) {
    const some = ids.slice(start, start + readAtOnce)
    const pecks = await readPecks(db(), sql`SELECT * FROM "Peck" WHERE "id" = ANY(${some}::text[])`)
    for (const peck of pecks) found.set(peck.id, peck)
  }
  return found
}

/** Returns the pecks of rows with all that is shown, and the level of each, in the given order. */
async function readShown(rows: Row[]): Promise<Shown[]> {
  const found = await readTexts(rows.filter(({ whole }) => whole === undefined).map(({ id }) => id))
  return rows.flatMap(({ id, level, isKnown, whole }) => {
    const peck = whole ?? found.get(id)
    return peck === undefined ? [] : [{ peck, level, isKnown }]
  })
}

interface Shown extends Pick<Row, 'level' | 'isKnown'> {
  peck: PeckRow
}

async function presentItems(
  targetId: string,
  shown: Shown[],
  now: Date,
): Promise<z.input<typeof InboxItem>[]> {
  const pecks = shown.map(({ peck }) => peck)
  const [first, before] = await Promise.all([
    firstLinesOf(db(), targetId, pecks),
    asBeforeOf(db(), targetId, pecks, now),
  ])
  const lines = await linesOf(pecks)
  return shown.map(({ peck, ...row }, index) => ({
    ...presentItem(peck, { ...row, line: lines[index] as Line, first: first.get(peck.id) as FirstRead, now }),
    as_before: before.get(peck.id) ?? null,
  }))
}

const hourSeconds = 3600
const daySeconds = 86_400

/** Searching takes less time for each byte than showing. Without a search, a row takes almost none. */
const weightOf = ({ whole }: Row) => 1 + (whole === undefined ? 0 : whole.params.length / 8)

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
    sentenceOf(row),
    // The person searches for what the page shows, which may be in another language.
    shownAction(row.action),
  ]
  const text = searchForm(parts.join('\n'))
  return searchForm(words)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function presentItem(
  row: PeckRow,
  { line, level, isKnown, first, now }: Omit<Shown, 'peck'> & { line: Line; first: FirstRead; now: Date },
): Omit<z.input<typeof InboxItem>, 'as_before'> {
  return {
    peck_id: row.id,
    requester: presentAskerTo(row),
    action: row.action,
    scope: row.scope,
    ...line,
    risk_level: level,
    first_contact: first.isFirst,
    known: isKnown,
    first_line: first.line,
    needs_passkey: alwaysNeedsPasskey(row),
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    ...(row.snoozedUntil !== null && row.snoozedUntil > now ? { snoozed_until: row.snoozedUntil } : {}),
  }
}
