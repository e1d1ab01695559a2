import { db, Prisma } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import type { DucklingContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { readAgents } from './read'
import { writeRefusalsOf } from './refusals'
import type { AgentInput } from './schema'

interface AgentFilter {
  withDeregistered: boolean
  /** Only agents whose name, id, type or capabilities contain it. Null: all. */
  text: string | null
}

/** Returns a page of the caller's agents, newest first. Writes pending counts first, so that uses of retired keys are up to date. */
export async function listAgents(
  context: DucklingContext,
  page: PageRequest,
  filter: AgentFilter,
): Promise<Page<AgentInput>> {
  await writeRefusalsOf(context.caller.id)
  const isLive = filter.withDeregistered ? Prisma.empty : sql`AND "status" <> 'deregistered'`
  const older = page.after === null ? Prisma.empty : sql`AND "id" < ${page.after}`
  const agents = await readAgents(
    db(),
    sql`SELECT * FROM "Agent" WHERE "ducklingId" = ${context.caller.id} ${isLive} ${containing(filter.text)} ${older}
      ORDER BY "id" DESC LIMIT ${page.limit + 1}`,
  )
  return pageOf(
    agents,
    page,
    (agent) => agent.agent_id,
    (agent) => agent,
  )
}

/** Returns a text without accents, capitals and full-width letters, as `searchForm` does. */
const folded = (text: Sql) =>
  sql`lower(regexp_replace(normalize(${text}, NFKD), ${'[\u0300-\u036f]'}, '', 'g'))`

/**
 * Returns the condition that a text of the agent contains `text`. `text` is not a pattern, so `%` and `_` match only themselves. The line breaks
 * between the columns keep a match inside one of them.
 */
function containing(text: string | null): Sql {
  if (text === null) return Prisma.empty
  return sql`AND strpos(${folded(sql`concat_ws(E'\n', "name", "id", "type", array_to_string("capabilities", E'\n'))`)}, ${folded(sql`${text}::text`)}) > 0`
}
