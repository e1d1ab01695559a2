import type { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import type { FormerName } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { sidesOf } from '@/lib/domain/pecks/record'
import { findPeck, isTarget, lockPeck, type PeckRow, requireVisible } from '@/lib/domain/pecks/rows'
import { publicRequester } from '@/lib/domain/pecks/schema'
import { statusOf, withDueRejection } from '@/lib/domain/pecks/state'
import { record } from '@/lib/infrastructure/events/record'
import { config } from '@/lib/kernel/config'
import type { AnonymousContext, Context, DucklingContext } from '@/lib/kernel/request/context'
import { randomSecret } from '@/lib/kernel/secrets/secrets'
import { receiptOfPeck } from './outcome-receipt'
import type { Share, SharedReceipt, ShareEnded, ShareRequest } from './outcome-receipt-schema'

/**
 * Returns the names that people had at a time, by id, of those who have changed their names since then. Nothing of a closed account.
 */
async function readFormerNames(
  tx: Pick<Tx, 'rows'>,
  ids: string[],
  at: Date,
): Promise<Map<string, FormerName>> {
  const rows = await tx.rows<FormerName>`
    SELECT DISTINCT ON ("ducklingId") * FROM "FormerName"
    WHERE "ducklingId" = ANY(${ids}::text[]) AND "until" > ${at}::timestamptz ORDER BY "ducklingId", "until"`
  return new Map(rows.map((row) => [row.ducklingId, row]))
}

/** Returns the address of the public page of a shared receipt. */
export function shareUrl(id: string): string {
  return `${config().baseUrl}/r/${id}`
}

/**
 * Makes the receipt of a peck public, or private again. Each side has its own link. A link names a random id, so nobody finds a receipt that
 * was not shared.
 */

interface ShareRow {
  id: string
  withValues: boolean
  createdAt: Date
}

/**
 * Shares the receipt of a peck of the caller. A second call keeps the link and sets whether the values are shown. Throws `peck_not_found`,
 * `peck_undecided` while the peck is pending, or `receipt_kept_private` to an asker when the target does not want a public receipt.
 */
export function shareReceipt(
  context: DucklingContext<'peck_not_found' | 'peck_undecided' | 'receipt_kept_private'>,
  { peck_id: peckId, values }: z.output<typeof ShareRequest>,
): Promise<z.input<typeof Share>> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const peck = requireVisible(context, await lockPeck(tx, peckId))
    if (statusOf(peck, now) === 'pending') throw context.fail('peck_undecided', { current_status: 'pending' })
    // A target that shares it again lets the asker do so too, with a new link.
    if (isTarget(caller, peck))
      await tx.sharedReceipt.deleteMany({ where: { peckId, endedAt: { not: null } } })
    else if (!(await mayAskerShare(tx, peck))) throw context.fail('receipt_kept_private')
    const [row] = await tx.rows<ShareRow>`
      INSERT INTO "SharedReceipt" ("id", "peckId", "ducklingId", "withValues", "createdAt", "sessionId")
      VALUES (${randomSecret(16)}, ${peckId}, ${caller.id}, ${values}, ${now}::timestamptz, ${caller.sessionId})
      ON CONFLICT ("peckId", "ducklingId") DO UPDATE SET "withValues" = EXCLUDED."withValues", "sessionId" = EXCLUDED."sessionId"
      RETURNING "id", "withValues", "createdAt"`
    if (row === undefined) throw new Error('the receipt was not stored')
    recordShare(tx, context, 'peck.receipt_shared', peck, { values: values ? 'shown' : 'hidden' })
    return presentShare(peckId, row)
  })
}

/** Whether the account of the target is open, and the target has not ended a link of the asker. */
async function mayAskerShare(tx: Tx, { id, targetDucklingId }: PeckRow): Promise<boolean> {
  const target = await tx.duckling.findFirst({
    where: { id: targetDucklingId, deletedAt: null },
    select: { id: true },
  })
  return (
    target !== null && (await tx.sharedReceipt.count({ where: { peckId: id, endedAt: { not: null } } })) === 0
  )
}

/** Returns the links of an account, oldest first. */
export async function listShares(tx: Tx, ducklingId: string): Promise<z.input<typeof Share>[]> {
  const rows = await tx.sharedReceipt.findMany({
    where: { ducklingId, endedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return rows.map((row) => presentShare(row.peckId, row))
}

/**
 * Makes the link of the caller invalid, and also the link of the asker when the caller is the target: the page shows the target's name and decision.
 * The asker cannot share the receipt again. Throws `peck_not_found`, or `receipt_not_shared` when there is no such link.
 */
export function unshareReceipt(
  context: DucklingContext<'peck_not_found' | 'receipt_not_shared'>,
  peckId: string,
): Promise<z.input<typeof ShareEnded>> {
  const { caller } = context
  return transaction(async (tx) => {
    const peck = requireVisible(context, await lockPeck(tx, peckId))
    const own = await tx.sharedReceipt.deleteMany({ where: { peckId, ducklingId: caller.id, endedAt: null } })
    const others = isTarget(caller, peck)
      ? await tx.sharedReceipt.updateMany({
          where: { peckId, endedAt: null },
          data: { endedAt: context.now },
        })
      : { count: 0 }
    if (own.count + others.count === 0) throw context.fail('receipt_not_shared')
    recordShare(tx, context, 'peck.receipt_unshared', peck)
    return { success: true as const, peck_id: peckId }
  })
}

/** Deletes all links to receipts with the name and the decisions of an account that is closed, and records it for their owners. */
export async function deleteReceiptsAbout(tx: Tx, context: Context, id: string): Promise<void> {
  const deleted = await tx.rows<{ peckId: string; ducklingId: string; endedAt: Date | null }>`
    DELETE FROM "SharedReceipt" s USING "Peck" p WHERE p."id" = s."peckId" AND p."targetDucklingId" = ${id}
    RETURNING s."peckId", s."ducklingId", s."endedAt"`
  for (const { peckId, ducklingId, endedAt } of deleted)
    if (endedAt === null && ducklingId !== id)
      record(tx, context, 'peck.receipt_unshared', {
        concerning: [ducklingId],
        targets: [{ type: 'peck', id: peckId }],
      })
}

/**
 * Records it for the caller and for both sides, because the page shows both names. The target of a stranger's undecided peck is no side, but
 * can share its receipt.
 */
function recordShare(
  tx: Tx,
  context: DucklingContext,
  kind: 'peck.receipt_shared' | 'peck.receipt_unshared',
  peck: PeckRow,
  metadata: Record<string, string> = {},
): void {
  const concerning = [...new Set([context.caller.id, ...sidesOf(withDueRejection(peck, context.now))])]
  record(tx, context, kind, { concerning, targets: [{ type: 'peck', id: peck.id }], metadata })
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

/** Returns the peck with the names that both sides had when it was decided, or when it was requested if nobody decided it. */
async function withNamesOfDecision(peck: PeckRow): Promise<PeckRow> {
  const { requesterDucklingId, targetDucklingId } = peck
  const names = await readFormerNames(
    db(),
    [requesterDucklingId, targetDucklingId],
    peck.decidedAt ?? peck.createdAt,
  )
  const requester = names.get(requesterDucklingId)
  const target = names.get(targetDucklingId)
  return {
    ...peck,
    ...(requester && { requesterName: requester.displayName, requesterFullName: requester.fullName }),
    ...(target && { targetName: target.displayName, targetFullName: target.fullName }),
  }
}

/** Returns a shared receipt with the names of both sides at the time of the decision. Throws `receipt_not_shared`. */
export async function readSharedReceipt(
  context: AnonymousContext<'receipt_not_shared'>,
  id: string,
): Promise<z.input<typeof SharedReceipt>> {
  // Reads the account of the target too: a link that is made while the account is being closed must not work either.
  const [shared] = await db().rows<ShareRow & { peckId: string; ducklingId: string }>`
    SELECT s."id", s."peckId", s."ducklingId", s."withValues", s."createdAt"
    FROM "SharedReceipt" s JOIN "Peck" p ON p."id" = s."peckId" JOIN "Duckling" t ON t."id" = p."targetDucklingId"
    WHERE s."id" = ${id} AND s."endedAt" IS NULL AND t."deletedAt" IS NULL`
  const peck = shared && (await findPeck(shared.peckId))
  if (!shared || !peck) throw context.fail('receipt_not_shared')
  const receipt = await receiptOfPeck(db(), peck, {
    disclosure: shared.withValues ? 'public' : 'none',
    now: context.now,
  })
  if (receipt === null) throw context.fail('receipt_not_shared')
  const then = await withNamesOfDecision(peck)
  return {
    receipt,
    requester: publicRequester(then),
    target: {
      duckling_id: then.targetDucklingId,
      display_name: then.targetName,
      ...(then.targetFullName === null ? {} : { full_name: then.targetFullName }),
    },
    shared_by: shared.ducklingId === peck.requesterDucklingId ? 'requester' : 'target',
    shared_at: shared.createdAt,
  }
}
