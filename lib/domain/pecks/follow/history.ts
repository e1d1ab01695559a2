import { db, Prisma } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { grantTokensOf } from '@/lib/domain/pecks/grant/grant'
import { type Operator, readPecks } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import type { GrantStatus, PeckStatus } from '@/lib/domain/pecks/state'
import type { OperatorContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'

export interface HistoryQuery extends PageRequest {
  status: PeckStatus | undefined
  grantStatus: GrantStatus | undefined
  direction: 'sent' | 'received' | undefined
}

/**
 * Returns a page of the pecks that the caller sent and received, newest first. An agent sees only the pecks that it sent. A
 * person also sees the pecks of their agents.
 */
export async function listPecks(context: OperatorContext, query: HistoryQuery): Promise<Page<PeckInput>> {
  const { caller, now } = context
  if (query.direction === 'received' && caller.type === 'agent') return { items: [], next_cursor: null }
  const filters = filtersOf(query, now)
  const sides = [
    ...(query.direction === 'received' ? [] : [sentBy(caller)]),
    ...(query.direction === 'sent' || caller.type === 'agent' ? [] : [receivedBy(caller)]),
  ]
  // Each side has its own index. UNION removes the duplicate of a peck that an agent sent to its own operator.
  const ids = sides.map((side) => sql`(SELECT "id" FROM "Peck" WHERE ${side} ${filters})`)
  const rows = await readPecks(
    db(),
    sql`SELECT * FROM "Peck" WHERE "id" IN (
      SELECT "id" FROM (${Prisma.join(ids, ' UNION ')}) AS found ORDER BY "id" DESC LIMIT ${query.limit + 1})`,
  )
  const tokens = await grantTokensOf(caller, rows, now)
  return pageOf(
    rows,
    query,
    ({ id }) => id,
    (row) => presentPeck(row, now, tokens.get(row.id)),
  )
}

function sentBy(caller: Operator): Sql {
  return caller.type === 'agent'
    ? sql`"askerId" = ${caller.agentId}`
    : sql`"requesterDucklingId" = ${caller.id}`
}

function receivedBy(caller: Operator): Sql {
  return sql`"targetDucklingId" = ${caller.id} AND NOT "blocked"`
}

/** Returns the filters, order and limit that the statements of both sides share. */
function filtersOf({ after, limit, status, grantStatus }: HistoryQuery, now: Date): Sql {
  const older = after === null ? Prisma.empty : sql`AND "id" < ${after}`
  return sql`${statusFilter(status, now)} ${grantFilter(grantStatus, now)} ${older} ORDER BY "id" DESC LIMIT ${limit + 1}`
}

/** Filters by the status as `statusOf` computes it, whether or not an expiry is already stored. */
function statusFilter(status: PeckStatus | undefined, now: Date): Sql {
  if (status === undefined) return Prisma.empty
  if (status === 'pending') return sql`AND "status" = 'pending' AND "expiresAt" > ${now}::timestamptz`
  if (status === 'expired')
    return sql`AND "status" IN ('expired', 'pending') AND ("status" = 'expired' OR "expiresAt" <= ${now}::timestamptz)`
  return sql`AND "status" = ${status}::"PeckStatus"`
}

/** Filters by the status of the permission as `grantStatusOf` computes it. */
function grantFilter(status: GrantStatus | undefined, now: Date): Sql {
  if (status === undefined) return Prisma.empty
  const isUsedUp = sql`("maxUses" IS NOT NULL AND "uses" >= "maxUses")`
  // The sum keeps the planner from the index on "grantExpiresAt": it would read and sort all expired grants for one page.
  const isExpired = sql`("grantExpiresAt" + interval '0' <= ${now}::timestamptz)`
  const conditions = {
    revoked: sql`"grantRevokedAt" IS NOT NULL`,
    consumed: sql`"grantRevokedAt" IS NULL AND ${isUsedUp}`,
    expired: sql`"grantRevokedAt" IS NULL AND NOT ${isUsedUp} AND ${isExpired}`,
    // Must match the predicate of the index "Peck_living_grants_idx", so that the query reads no expired grants.
    active: sql`"grantRevokedAt" IS NULL AND NOT ${isUsedUp}
      AND ("grantExpiresAt" IS NULL OR "grantExpiresAt" > ${now}::timestamptz)`,
  }
  return sql`AND "status" = 'approved' AND ${conditions[status]}`
}
