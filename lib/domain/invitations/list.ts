import { db } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { type InvitationInput, presentInvitation } from './schema'

/** Returns a page of the caller's invitations, newest first, with those that ended in the last 30 days. */
export async function listInvitations(
  { caller, now }: DucklingContext,
  page: PageRequest,
): Promise<Page<InvitationInput>> {
  const rows = await db().invitation.findMany({
    where: { ducklingId: caller.id, ...(page.after === null ? {} : { id: { lt: page.after } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  })
  return pageOf(
    rows,
    page,
    ({ id }) => id,
    (row) => presentInvitation(row, now),
  )
}
