import { db } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { newestKeys, presentWithKey } from './read'
import { writeRefusalsOf } from './refusals'
import { type AgentInput, liveStatuses } from './schema'

/** Returns a page of the caller's agents, newest first. Writes pending counts first, so that uses of retired keys are up to date. */
export async function listAgents(
  context: DucklingContext,
  page: PageRequest,
  options: { withDeregistered: boolean },
): Promise<Page<AgentInput>> {
  await writeRefusalsOf(context.caller.id)
  const rows = await db().agent.findMany({
    where: {
      ducklingId: context.caller.id,
      ...(options.withDeregistered ? {} : { status: { in: liveStatuses } }),
      ...(page.after === null ? {} : { id: { lt: page.after } }),
    },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  })
  const keys = await newestKeys(
    db(),
    rows.map(({ id }) => id),
  )
  return pageOf(
    rows,
    page,
    ({ id }) => id,
    (row) => presentWithKey(row, keys),
  )
}
