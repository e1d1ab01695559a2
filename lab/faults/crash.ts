/** What a call has changed: how many rows of each table there are, by what tells them apart. */

import { db, Prisma } from '@/lib/db/client'
import { checkData } from '@/lib/domain/integrity/check'
import type { DatabaseProxy } from '@/lib/fixtures/database-proxy'

/** Rows that come and go beside the change: counts, claims, and what a failed try leaves to expire. */
const beside = new Set([
  'IdempotencyKey',
  // The next claim removes it.
  'WebhookQueue',
  'Ceremony',
  'DailyCount',
  'Budget',
  'MetricDelta',
  'MetricTotal',
  'MetricDay',
  'OtpGuard',
  'LogHash',
  // One row for each domain of all accounts together.
  'SsoDomain',
  'StatusDay',
  'Incident',
  '_prisma_migrations',
])

/** Tables whose rows are counted by a column. */
const kinds: Readonly<Record<string, string>> = {
  AuditEvent: `"action" || ' ' || "outcome"`,
  Outbox: '"kind"',
  LogPending: '"kind"::text',
  Peck: '"status"::text',
  Agent: '"status"::text',
  Certificate: '"status"::text',
  BeakKey: `("activeFor" IS NULL)::text`,
  Session: `("revokedAt" IS NULL)::text`,
  SsoToken: `("revokedAt" IS NULL)::text`,
}

let tables: string[] | null = null

async function listTables(): Promise<string[]> {
  const rows = await db().rows<{ name: string }>`
    SELECT "relname"::text AS "name" FROM pg_class WHERE "relkind" = 'r' AND "relnamespace" = current_schema()::regnamespace`
  return rows.map(({ name }) => name).filter((name) => !beside.has(name))
}

/** Counts all rows. */
async function countRows(): Promise<Map<string, number>> {
  tables ??= await listTables()
  const parts = tables.map(
    (table) =>
      `SELECT '${table} ' || COALESCE(${kinds[table] ?? `''`}, '') AS "name", count(*)::int AS "count" FROM "${table}" GROUP BY 1`,
  )
  const rows = await db().rows<{ name: string; count: number }>`${Prisma.raw(parts.join(' UNION ALL '))}`
  return new Map(rows.map(({ name, count }) => [name.trim(), count]))
}

/** Returns what has changed between two counts, as sorted lines. Refused tries do not count: a repeated call may be refused first. */
function changesBetween(before: Map<string, number>, after: Map<string, number>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  return names.flatMap((name) => {
    const change = (after.get(name) ?? 0) - (before.get(name) ?? 0)
    return change === 0 || name.endsWith(' denied') ? [] : [`${name} ${change > 0 ? '+' : ''}${change}`]
  })
}

/**
 * A crash at every statement. A ceremony runs with a connection that is cut before or after its statement k, for every k. Afterwards it runs
 * again: it must succeed, and have made each change once.
 */

/** Something that the service does, and that runs again after a crash. */
export interface Ceremony {
  name: string
  /** Makes what the ceremony needs. What it returns runs the ceremony, and returns `done`, `unavailable` or what else happened. */
  prepare(): Promise<() => Promise<string>>
  /** What a repeat may say besides `done`, when the first run has changed everything and nobody got the answer. */
  saysAgain?: readonly string[]
  /** What a repeat may say besides `done`, when the first run has changed everything or nothing, such as after a spent challenge. */
  endsWith?: string
  /** Changes that a repeat may make once more, by the beginning of their line in `changesBetween`. */
  mayRepeat?: readonly string[]
  /** Lets the time pass that a repeat has to wait. Not called after a lost connection unless `waitsAlways`. */
  wait?(): Promise<unknown>
  waitsAlways?: true
}

/** `connection`: only the connection is lost. `process`: the service ends, so no later statement of the run comes. */
export interface Crash {
  statement: number
  when: 'before' | 'after'
  lost: 'connection' | 'process'
}

/** Runs a ceremony without a fault. Returns its number of statements and what it changes. */
export async function measure(
  proxy: DatabaseProxy,
  { name, prepare }: Ceremony,
): Promise<{ statements: number; changes: string[] }> {
  const run = await prepare()
  const before = await countRows()
  proxy.arm(null)
  const outcome = await run()
  const { statements } = await proxy.disarm()
  if (outcome !== 'done') throw new Error(`${name} says "${outcome}" without any fault.`)
  return { statements, changes: changesBetween(before, await countRows()) }
}

/** Returns the changes without those that may come again. */
const onlyOnce = (changes: readonly string[], { mayRepeat = [] }: Ceremony) =>
  changes.filter((change) => !mayRepeat.some((beginning) => change.startsWith(beginning))).join(', ')

/** Plays one crash. Returns what is wrong afterwards, or null. */
export async function playCrash(
  proxy: DatabaseProxy,
  ceremony: Ceremony,
  crash: Crash,
  expected: readonly string[],
): Promise<string | null> {
  const { statement, when, lost } = crash
  const wrong = (what: string) => `${ceremony.name}, ${lost} lost ${when} statement ${statement}: ${what}`
  const run = await ceremony.prepare()
  const before = await countRows()
  proxy.arm({ statement, when, everything: lost === 'process' })
  const first = await run()
  await proxy.disarm()
  if (first !== 'done' && first !== 'unavailable') return wrong(`it says "${first}"`)
  if (lost === 'process' || ceremony.waitsAlways) await ceremony.wait?.()
  const again = await run()
  if (again !== 'done' && again !== ceremony.endsWith && !ceremony.saysAgain?.includes(again))
    return wrong(`it says "${first}", then "${again}"`)
  const changes = onlyOnce(changesBetween(before, await countRows()), ceremony)
  const once = onlyOnce(expected, ceremony)
  if (again === ceremony.endsWith && changes === '') return null
  return changes === once ? null : wrong(`it changes ${changes || 'nothing'} instead of ${once || 'nothing'}`)
}

/** Returns what the reader of invariants finds, as one line for each rule. */
export async function contradictions(): Promise<string[]> {
  const checked = await checkData()
  return checked.contradictions.map(
    ({ rule, rows, count }) => `${rule}: not so for ${count}, such as ${rows[0]}`,
  )
}
