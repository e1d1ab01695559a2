import { db } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { findRecovery, type RecoveryInput } from './recovery'
import { type ListedPasskeyInput, presentPasskey } from './schema'

/** Returns the caller's passkeys, newest first, and the pending removal of all of them, or null. */
export async function listPasskeys(
  { caller }: DucklingContext,
  page: PageRequest,
): Promise<Page<ListedPasskeyInput> & { recovery: RecoveryInput | null }> {
  const rows = await db().passkey.findMany({
    where: { ducklingId: caller.id, ...(page.after === null ? {} : { id: { lt: page.after } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  })
  const recovery = await findRecovery(db(), caller.id)
  return { ...pageOf(rows, page, ({ id }) => id, presentPasskey), recovery }
}
