import { db, Prisma } from '@/lib/db/client'
import { withGrantTokens } from '@/lib/domain/pecks/grant/grant'
import { type Operator, type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentReadPeck } from '@/lib/domain/pecks/schema'
import type { GrantStatus, PeckStatus } from '@/lib/domain/pecks/state'
import type { OperatorContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'

export interface HistoryQuery extends PageRequest {
  status: PeckStatus | undefined
  grantStatus: GrantStatus | undefined
  direction: 'sent' | 'received' | undefined
}

/** Pecks the caller sent and received, newest first. An agent sees those it asked itself; a person also those of their agents. */
export async function listPecks(context: OperatorContext, query: HistoryQuery): Promise<Page<PeckInput>> {
  const { caller, now } = context
  const rest = restOf(query, now)
  const sides = [
    ...(query.direction === 'received' ? [] : [sentBy(caller)]),
    ...(query.direction === 'sent' || caller.type === 'agent' ? [] : [receivedBy(caller)]),
  ]
  // Each side is read from an index of its own; a peck of one's agent to oneself is on both and shown once.
  const ids = sides.map((side) => Prisma.sql`(SELECT "id" FROM "Peck" WHERE ${side} ${rest})`)
  const rows: PeckRow[] =
    ids.length === 0
      ? []
      : await readPecks(
          db(),
          Prisma.sql`SELECT * FROM "Peck" WHERE "id" IN (
            SELECT "id" FROM (${Prisma.join(ids, ' UNION ')}) AS found ORDER BY "id" DESC LIMIT ${query.limit + 1})`,
        )
  return pageOf(
    await withGrantTokens(caller, rows, now),
    query,
    ({ id }) => id,
    (row) => presentReadPeck(row, now),
  )
}

function sentBy(caller: Operator): Prisma.Sql {
  return caller.type === 'agent'
    ? Prisma.sql`"askerId" = ${caller.agentId}`
    : Prisma.sql`"requesterDucklingId" = ${caller.id}`
}

function receivedBy(caller: Operator): Prisma.Sql {
  return Prisma.sql`"targetDucklingId" = ${caller.id} AND NOT "blocked"`
}

/** What both sides' statements end in. */
function restOf({ after, limit, status, grantStatus }: HistoryQuery, now: Date): Prisma.Sql {
  const older = after === null ? Prisma.empty : Prisma.sql`AND "id" < ${after}`
  return Prisma.sql`${statusIs(status, now)} ${grantIs(grantStatus, now)} ${older} ORDER BY "id" DESC LIMIT ${limit + 1}`
}

/** The filter by the status as it reads now, written down or not. */
function statusIs(status: PeckStatus | undefined, now: Date): Prisma.Sql {
  if (status === undefined) return Prisma.empty
  if (status === 'pending') return Prisma.sql`AND "status" = 'pending' AND "expiresAt" > ${now}::timestamptz`
  if (status === 'expired')
    return Prisma.sql`AND "status" IN ('expired', 'pending') AND ("status" = 'expired' OR "expiresAt" <= ${now}::timestamptz)`
  return Prisma.sql`AND "status" = ${status}::"PeckStatus"`
}

/** The filter by what became of the permission, as `grantStatusOf` tells it. */
function grantIs(status: GrantStatus | undefined, now: Date): Prisma.Sql {
  if (status === undefined) return Prisma.empty
  const isSpent = Prisma.sql`("maxUses" IS NOT NULL AND "uses" >= "maxUses")`
  const isOver = Prisma.sql`("grantExpiresAt" IS NOT NULL AND "grantExpiresAt" <= ${now}::timestamptz)`
  const conditions = {
    revoked: Prisma.sql`"grantRevokedAt" IS NOT NULL`,
    consumed: Prisma.sql`"grantRevokedAt" IS NULL AND ${isSpent}`,
    expired: Prisma.sql`"grantRevokedAt" IS NULL AND NOT ${isSpent} AND ${isOver}`,
    // In the words of the index of living grants: its range leaves out what ended by the clock.
    active: Prisma.sql`"grantRevokedAt" IS NULL AND NOT ${isSpent}
      AND ("grantExpiresAt" IS NULL OR "grantExpiresAt" > ${now}::timestamptz)`,
  }
  return Prisma.sql`AND "status" = 'approved' AND ${conditions[status]}`
}
