import { z } from 'zod'
import { db, Prisma } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { isActiveGrant, isUsedUp } from '@/lib/domain/pecks/grant/active'
import { grantTokensOf } from '@/lib/domain/pecks/grant/tokens'
import { type Operator, readPecks } from '@/lib/domain/pecks/rows'
import { askerId, type PeckInput, peckIds, presentPeckTo } from '@/lib/domain/pecks/schema'
import {
  type GrantStatus,
  grantStatus,
  type PeckStatus,
  peckStatus,
} from '@/lib/infrastructure/events/kinds/peck-data'
import type { OperatorContext } from '@/lib/kernel/context'
import { verbObject } from '@/lib/kernel/fields'
import { type Page, type PageRequest, pageOf, pageQuery } from '@/lib/kernel/page'

/** Query of `GET /beak/peck/history`. */
export const HistoryQuery = z.strictObject({
  ...pageQuery(),
  status: peckStatus.optional(),
  // Without this filter, a client must read all pecks to find the active permissions (contract B, peck/history).
  grant_status: grantStatus.optional(),
  direction: z.enum(['sent', 'received']).optional(),
  // Filters for people with many agents (contract B, peck/history).
  asker: askerId.optional(),
  action: verbObject.optional(),
  // Several pecks in one call, for a client that loads the next ones of a list (contract B, peck/history).
  peck_ids: peckIds.optional(),
})

type Filter = Omit<z.output<typeof HistoryQuery>, 'limit' | 'cursor'>

/**
 * Returns a page of the pecks that the caller sent and received, newest first. An agent sees only the pecks that it sent. A
 * person also sees the pecks of their agents.
 */
export async function listPecks(
  context: OperatorContext,
  page: PageRequest,
  filter: Filter,
): Promise<Page<PeckInput>> {
  const { caller, now } = context
  if (filter.direction === 'received' && caller.type === 'agent') return { items: [], next_cursor: null }
  const filters = (side: Side) => filtersOf(page, filter, now, side)
  const sides = [
    ...(filter.direction === 'received' ? [] : [sql`${sentBy(caller)} ${filters('sent')}`]),
    ...(filter.direction === 'sent' || caller.type === 'agent'
      ? []
      : [sql`${receivedBy(caller)} ${filters('received')}`]),
  ]
  // Each side has its own index. UNION removes the duplicate of a peck that an agent sent to its own operator.
  const ids = sides.map((side) => sql`(SELECT "id" FROM "Peck" WHERE ${side})`)
  const rows = await readPecks(
    db(),
    sql`SELECT * FROM "Peck" WHERE "id" IN (
      SELECT "id" FROM (${Prisma.join(ids, ' UNION ')}) AS found ORDER BY "id" DESC LIMIT ${page.limit + 1})`,
  )
  const tokens = await grantTokensOf(caller, rows, now)
  return pageOf(
    rows,
    page,
    ({ id }) => id,
    (row) => presentPeckTo(caller, row, now, tokens.get(row.id)),
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

type Side = 'sent' | 'received'

/** Returns the filters, order and limit of the statement of one side. */
function filtersOf({ after, limit }: PageRequest, filter: Filter, now: Date, side: Side): Sql {
  const { status, grant_status, asker, action, peck_ids: ids } = filter
  const ofAsker = asker === undefined ? Prisma.empty : sql`AND "askerId" = ${asker}`
  const ofAction = action === undefined ? Prisma.empty : sql`AND "action" = ${action}`
  const only = ids === undefined ? Prisma.empty : sql`AND "id" = ANY(${ids}::text[])`
  const older = after === null ? Prisma.empty : sql`AND "id" < ${after}`
  return sql`${only} ${ofAsker} ${ofAction} ${statusFilter(status, now)} ${grantFilter(grant_status, now, side)} ${older}
    ORDER BY "id" DESC LIMIT ${limit + 1}`
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
function grantFilter(status: GrantStatus | undefined, now: Date, side: Side): Sql {
  if (status === undefined) return Prisma.empty
  if (status === 'active') return sql`AND ${isActiveGrant(now, side)}`
  // The sum keeps the planner from the index on "grantExpiresAt": it would read and sort all expired grants for one page.
  const isExpired = sql`("grantExpiresAt" + interval '0' <= ${now}::timestamptz)`
  const conditions = {
    revoked: sql`"grantRevokedAt" IS NOT NULL`,
    consumed: sql`"grantRevokedAt" IS NULL AND ${isUsedUp}`,
    expired: sql`"grantRevokedAt" IS NULL AND NOT ${isUsedUp} AND ${isExpired}`,
  }
  return sql`AND "status" = 'approved' AND ${conditions[status]}`
}
