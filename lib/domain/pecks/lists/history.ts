import { z } from 'zod'
import { db, Prisma } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { isActiveGrant, isExpiredGrant, isUsedUp } from '@/lib/domain/pecks/grant/active'
import { grantTokensOf } from '@/lib/domain/pecks/grant/tokens'
import { type Operator, readPecks } from '@/lib/domain/pecks/rows'
import { askerId, type PeckInput, peckIds, presentPeckTo } from '@/lib/domain/pecks/schema'
import { isDueRejectionAt, isPendingAt } from '@/lib/domain/pecks/state'
import {
  type GrantStatus,
  grantStatus,
  type PeckStatus,
  peckStatus,
} from '@/lib/infrastructure/events/kinds/peck-data'
import type { OperatorContext } from '@/lib/kernel/request/context'
import { verbObject } from '@/lib/kernel/request/fields'
import { type Page, type PageRequest, pageOf, pageQuery } from '@/lib/kernel/request/page'

/** Query of `GET /beak/peck/history`. */
export const HistoryQuery = z.strictObject({
  ...pageQuery(),
  // `over`: every status but pending.
  status: z.enum([...peckStatus.options, 'over']).optional(),
  // Without this filter, a client must read all pecks to find the active permissions.
  grant_status: grantStatus.optional(),
  // `sent_to_others`: without what the caller's own agents ask of the caller.
  direction: z.enum(['sent', 'sent_to_others', 'received']).optional(),
  // Filters for people with many agents.
  asker: askerId.optional(),
  action: verbObject.optional(),
  // Several pecks in one call, for a client that loads the next ones of a list.
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
  const filtered = (side: Side, condition: Sql) =>
    statusFilters(filter.status, now).map(
      (status) => sql`${condition} ${status} ${filtersOf(page, filter, now, side)}`,
    )
  const { direction } = filter
  const isSentOnly = direction === 'sent' || direction === 'sent_to_others' || caller.type === 'agent'
  const parts = [
    ...(direction === 'received' ? [] : filtered('sent', sentBy(caller, direction === 'sent_to_others'))),
    ...(isSentOnly ? [] : filtered('received', receivedBy(caller))),
  ]
  // Each side and stored status has its own part of an index. UNION removes the duplicate of a peck that an agent sent to its own operator.
  const ids = parts.map((part) => sql`(SELECT "id" FROM "Peck" WHERE ${part})`)
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

function sentBy(caller: Operator, isToOthers: boolean): Sql {
  const sent =
    caller.type === 'agent' ? sql`"askerId" = ${caller.agentId}` : sql`"requesterDucklingId" = ${caller.id}`
  return isToOthers ? sql`${sent} AND "requesterDucklingId" <> "targetDucklingId"` : sent
}

function receivedBy(caller: Operator): Sql {
  return sql`"targetDucklingId" = ${caller.id} AND NOT "blocked"`
}

type Side = 'sent' | 'received'

/** Returns the filters except the status, the order and the limit of the statement of one side. */
function filtersOf({ after, limit }: PageRequest, filter: Filter, now: Date, side: Side): Sql {
  const { grant_status, asker, action, peck_ids: ids } = filter
  const ofAsker = asker === undefined ? Prisma.empty : sql`AND "askerId" = ${asker}`
  const ofAction = action === undefined ? Prisma.empty : sql`AND "action" = ${action}`
  const only = ids === undefined ? Prisma.empty : sql`AND "id" = ANY(${ids}::text[])`
  const older = after === null ? Prisma.empty : sql`AND "id" < ${after}`
  return sql`${only} ${ofAsker} ${ofAction} ${grantFilter(grant_status, now, side)} ${older}
    ORDER BY "id" DESC LIMIT ${limit + 1}`
}

/**
 * Filters by the status as `statusOf` computes it, also before the worker has stored an expiry or a rejection. Returns one condition for each
 * stored status: with two in one condition, the database could not read a page in the order of the index.
 */
function statusFilters(status: PeckStatus | 'over' | undefined, now: Date): Sql[] {
  if (status === undefined) return [Prisma.empty]
  // A condition on the index of all: few of the newest are pending.
  if (status === 'over') return [sql`AND NOT (${isPendingAt(now)})`]
  if (status === 'pending') return [sql`AND ${isPendingAt(now)}`]
  const stored = sql`AND "status" = ${status}::"PeckStatus"`
  if (status === 'expired')
    return [
      stored,
      sql`AND "status" = 'pending' AND "rejectAt" IS NULL AND "expiresAt" <= ${now}::timestamptz`,
    ]
  return status === 'rejected' ? [stored, sql`AND ${isDueRejectionAt(now)}`] : [stored]
}

/** Filters by the status of the permission as `grantStatusOf` computes it. */
function grantFilter(status: GrantStatus | undefined, now: Date, side: Side): Sql {
  if (status === undefined) return Prisma.empty
  if (status === 'active') return sql`AND ${isActiveGrant(now, side)}`
  if (status === 'expired') return sql`AND ${isExpiredGrant(now)}`
  const conditions = {
    revoked: sql`"grantRevokedAt" IS NOT NULL`,
    consumed: sql`"grantRevokedAt" IS NULL AND ${isUsedUp}`,
  }
  return sql`AND "status" = 'approved' AND ${conditions[status]}`
}
