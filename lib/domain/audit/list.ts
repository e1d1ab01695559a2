import { db, Prisma } from '@/lib/db/client'
import type { AuditEvent as AuditEventRow } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { writeRefusalsOf } from '@/lib/domain/agents/refusals'
import type { OperatorContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { namesIn } from './names'
import { type AuditEventInput, presentEvent } from './schema'

interface Filter {
  action?: string | undefined
  outcome?: AuditEventInput['outcome'] | undefined
  /** Adds the names of the ducklings and agents in the events. */
  names?: 'true' | undefined
}

/** With the outcome in the text of the statement, the index of refused events serves a prepared statement. */
const hasOutcome = {
  success: sql`AND "outcome" = 'success'`,
  denied: sql`AND "outcome" = 'denied'`,
}

/** Returns a page of the caller's events, newest first. An agent reads those of its operator. `page.after` is a `seq`. */
export async function listEvents(
  context: OperatorContext,
  page: PageRequest,
  { action, outcome, names }: Filter,
): Promise<Page<AuditEventInput> & { names?: Record<string, string> }> {
  await writeRefusalsOf(context.caller.id)
  const rows = await db().rows<AuditEventRow>`
    SELECT "id", "ducklingId", "seq", "action", "outcome", "occurredAt", "actorType", "actorId", "targets", "ip", "userAgent",
      "contextDigest", "salt", "requestId", "metadata", "prevHash", "hash"
    FROM "AuditEvent" WHERE "ducklingId" = ${context.caller.id}
      ${action === undefined ? Prisma.empty : sql`AND "action" = ${action}`}
      ${outcome === undefined ? Prisma.empty : hasOutcome[outcome]}
      ${page.after === null ? Prisma.empty : sql`AND "seq" < ${Number(page.after)}`}
    ORDER BY "seq" DESC LIMIT ${page.limit + 1}`
  const events = pageOf(rows, page, (row) => String(row.seq), presentEvent)
  return names ? { ...events, names: await namesIn(events.items) } : events
}
