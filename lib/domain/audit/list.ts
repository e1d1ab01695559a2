import { db } from '@/lib/db/client'
import { writeRefusalsOf } from '@/lib/domain/agents/refusals'
import type { OperatorContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { type AuditEventInput, presentEvent } from './schema'

/** Returns a page of the events of the caller, or of the agent's operator, newest first. `page.after` is a `seq`. */
export async function listEvents(
  context: OperatorContext,
  page: PageRequest,
  { action, outcome }: { action?: string | undefined; outcome?: AuditEventInput['outcome'] | undefined },
): Promise<Page<AuditEventInput>> {
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
  return pageOf(rows, page, (row) => String(row.seq), presentEvent)
}
