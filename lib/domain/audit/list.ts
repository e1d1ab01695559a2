import { db } from '@/lib/db/client'
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

/** Returns a page of the caller's events, newest first. An agent reads those of its operator. `page.after` is a `seq`. */
export async function listEvents(
  context: OperatorContext,
  page: PageRequest,
  { action, outcome, names }: Filter,
): Promise<Page<AuditEventInput> & { names?: Record<string, string> }> {
  await writeRefusalsOf(context.caller.id)
  const rows = await db().auditEvent.findMany({
    where: {
      ducklingId: context.caller.id,
      ...(action === undefined ? {} : { action }),
      ...(outcome === undefined ? {} : { outcome }),
      ...(page.after === null ? {} : { seq: { lt: Number(page.after) } }),
    },
    orderBy: { seq: 'desc' },
    take: page.limit + 1,
  })
  const events = pageOf(rows, page, (row) => String(row.seq), presentEvent)
  return names ? { ...events, names: await namesIn(events.items) } : events
}
