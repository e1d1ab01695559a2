import { db } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { presentSession, type SessionInput } from './schema'

/** Returns a page of the caller's live sessions, newest first. */
export async function listSessions(
  { caller, now }: DucklingContext,
  page: PageRequest,
): Promise<Page<SessionInput>> {
  const rows = await db().session.findMany({
    where: {
      ducklingId: caller.id,
      revokedAt: null,
      expiresAt: { gt: now },
      ...(page.after === null ? {} : { id: { lt: page.after } }),
    },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  })
  return pageOf(
    rows,
    page,
    (row) => row.id,
    (row) => presentSession(row, caller.sessionId),
  )
}
