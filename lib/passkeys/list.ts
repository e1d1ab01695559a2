import { db } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { type ListedPasskeyInput, presentPasskey } from './schema'

/** The caller's passkeys, newest first. */
export async function listPasskeys(
  { caller }: DucklingContext,
  page: PageRequest,
): Promise<Page<ListedPasskeyInput>> {
  const rows = await db().passkey.findMany({
    where: { ducklingId: caller.id, ...(page.after === null ? {} : { id: { lt: page.after } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  })
  return pageOf(rows, page, ({ id }) => id, presentPasskey)
}
