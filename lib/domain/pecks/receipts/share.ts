/**
 * Makes the receipt of a peck public, or private again. Each side has its own link. A link names a random id, so nobody finds a receipt that
 * was not shared.
 */
import type { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { sidesOf } from '@/lib/domain/pecks/record'
import { findPeck, lockPeck, type PeckRow, requireVisible } from '@/lib/domain/pecks/rows'
import { presentRequester } from '@/lib/domain/pecks/schema'
import { statusOf } from '@/lib/domain/pecks/state'
import { record } from '@/lib/infrastructure/events/record'
import type { AnonymousContext, DucklingContext } from '@/lib/kernel/context'
import { randomSecret } from '@/lib/kernel/secrets'
import { receiptOfPeck } from './outcome-receipt'
import type { Share, SharedReceipt, ShareEnded, ShareRequest } from './share-schema'
import { shareUrl } from './share-url'

interface ShareRow {
  id: string
  withValues: boolean
  createdAt: Date
}

/**
 * Shares the receipt of a peck of the caller. A second call keeps the link and sets whether the values are shown. Throws `peck_not_found`, or
 * `peck_undecided` while the peck is pending.
 */
export function shareReceipt(
  context: DucklingContext<'peck_not_found' | 'peck_undecided'>,
  { peck_id: peckId, values }: z.output<typeof ShareRequest>,
): Promise<z.input<typeof Share>> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const peck = requireVisible(context, await lockPeck(tx, peckId))
    if (statusOf(peck, now) === 'pending') throw context.fail('peck_undecided', { current_status: 'pending' })
    const [row] = await tx.rows<ShareRow>`
      INSERT INTO "SharedReceipt" ("id", "peckId", "ducklingId", "withValues", "createdAt")
      VALUES (${randomSecret(16)}, ${peckId}, ${caller.id}, ${values}, ${now}::timestamptz)
      ON CONFLICT ("peckId", "ducklingId") DO UPDATE SET "withValues" = EXCLUDED."withValues"
      RETURNING "id", "withValues", "createdAt"`
    if (row === undefined) throw new Error('the receipt was not stored')
    recordShare(tx, context, 'peck.receipt_shared', peck, { values: values ? 'shown' : 'hidden' })
    return presentShare(peckId, row)
  })
}

/** Returns the links of an account, oldest first. */
export async function listShares(tx: Tx, ducklingId: string): Promise<z.input<typeof Share>[]> {
  const rows = await tx.sharedReceipt.findMany({
    where: { ducklingId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return rows.map((row) => presentShare(row.peckId, row))
}

/** Makes the link of the caller invalid. Throws `peck_not_found`, or `receipt_not_shared` when there is no such link. */
export function unshareReceipt(
  context: DucklingContext<'peck_not_found' | 'receipt_not_shared'>,
  peckId: string,
): Promise<z.input<typeof ShareEnded>> {
  const { caller } = context
  return transaction(async (tx) => {
    const peck = requireVisible(context, await lockPeck(tx, peckId))
    const { count } = await tx.sharedReceipt.deleteMany({ where: { peckId, ducklingId: caller.id } })
    if (count === 0) throw context.fail('receipt_not_shared')
    recordShare(tx, context, 'peck.receipt_unshared', peck)
    return { success: true as const, peck_id: peckId }
  })
}

/** Records it for both sides, because the page shows both names. */
function recordShare(
  tx: Tx,
  context: DucklingContext,
  kind: 'peck.receipt_shared' | 'peck.receipt_unshared',
  peck: PeckRow,
  metadata: Record<string, string> = {},
): void {
  record(tx, context, kind, { concerning: sidesOf(peck), targets: [{ type: 'peck', id: peck.id }], metadata })
}

function presentShare(peckId: string, { id, withValues, createdAt }: ShareRow): z.input<typeof Share> {
  return {
    peck_id: peckId,
    share_id: id,
    url: shareUrl(id),
    values: withValues,
    shared_at: createdAt,
  }
}

/** Returns a shared receipt with the names of both sides. Throws `receipt_not_shared`. */
export async function readSharedReceipt(
  context: AnonymousContext<'receipt_not_shared'>,
  id: string,
): Promise<z.input<typeof SharedReceipt>> {
  const shared = await db().sharedReceipt.findUnique({ where: { id } })
  const peck = shared && (await findPeck(shared.peckId))
  if (!shared || !peck) throw context.fail('receipt_not_shared')
  const receipt = await receiptOfPeck(peck, shared.withValues ? 'public' : 'none', context.now)
  if (receipt === null) throw context.fail('receipt_not_shared')
  return {
    receipt,
    requester: presentRequester(peck),
    target: { duckling_id: peck.targetDucklingId, display_name: peck.targetName },
    shared_by: shared.ducklingId === peck.requesterDucklingId ? 'requester' : 'target',
    shared_at: shared.createdAt,
  }
}
