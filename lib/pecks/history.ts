import { db, Prisma } from '@/lib/db/client'
import type { OperatorContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { type Operator, type PeckRow, readPecks } from './rows'
import { type PeckInput, presentPeckTo } from './schema'
import type { PeckStatus } from './state'

export interface HistoryQuery extends PageRequest {
  status: PeckStatus | undefined
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
    rows,
    query,
    ({ id }) => id,
    (row) => presentPeckTo(caller, row, now),
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
function restOf({ after, limit, status }: HistoryQuery, now: Date): Prisma.Sql {
  const older = after === null ? Prisma.empty : Prisma.sql`AND "id" < ${after}`
  return Prisma.sql`${statusIs(status, now)} ${older} ORDER BY "id" DESC LIMIT ${limit + 1}`
}

/** The filter by the status as it reads now, written down or not. */
function statusIs(status: PeckStatus | undefined, now: Date): Prisma.Sql {
  if (status === undefined) return Prisma.empty
  if (status === 'pending') return Prisma.sql`AND "status" = 'pending' AND "expiresAt" > ${now}::timestamptz`
  if (status === 'expired')
    return Prisma.sql`AND "status" IN ('expired', 'pending') AND ("status" = 'expired' OR "expiresAt" <= ${now}::timestamptz)`
  return Prisma.sql`AND "status" = ${status}::"PeckStatus"`
}
