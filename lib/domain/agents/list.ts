import { db, Prisma } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import type { DucklingContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { readAgents } from './read'
import { writeRefusalsOf } from './refusals'
import type { AgentInput } from './schema'

/** Returns a page of the caller's agents, newest first. Writes pending counts first, so that uses of retired keys are up to date. */
export async function listAgents(
  context: DucklingContext,
  page: PageRequest,
  options: { withDeregistered: boolean },
): Promise<Page<AgentInput>> {
  await writeRefusalsOf(context.caller.id)
  const isLive = options.withDeregistered ? Prisma.empty : sql`AND "status" <> 'deregistered'`
  const older = page.after === null ? Prisma.empty : sql`AND "id" < ${page.after}`
  const agents = await readAgents(
    db(),
    sql`SELECT * FROM "Agent" WHERE "ducklingId" = ${context.caller.id} ${isLive} ${older}
      ORDER BY "id" DESC LIMIT ${page.limit + 1}`,
  )
  return pageOf(
    agents,
    page,
    (agent) => agent.agent_id,
    (agent) => agent,
  )
}
