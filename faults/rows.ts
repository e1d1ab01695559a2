/** What a call has changed: how many rows of each table there are, by what tells them apart. */
import { db, Prisma } from '@/lib/db/client'

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
export async function countRows(): Promise<Map<string, number>> {
  tables ??= await listTables()
  const parts = tables.map(
    (table) =>
      `SELECT '${table} ' || COALESCE(${kinds[table] ?? `''`}, '') AS "name", count(*)::int AS "count" FROM "${table}" GROUP BY 1`,
  )
  const rows = await db().rows<{ name: string; count: number }>`${Prisma.raw(parts.join(' UNION ALL '))}`
  return new Map(rows.map(({ name, count }) => [name.trim(), count]))
}

/** Returns what has changed between two counts, as sorted lines. Refused tries do not count: a repeated call may be refused first. */
export function changesBetween(before: Map<string, number>, after: Map<string, number>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  return names.flatMap((name) => {
    const change = (after.get(name) ?? 0) - (before.get(name) ?? 0)
    return change === 0 || name.endsWith(' denied') ? [] : [`${name} ${change > 0 ? '+' : ''}${change}`]
  })
}
