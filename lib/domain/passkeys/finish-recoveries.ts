import { db, type Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { lockDuckling } from '@/lib/domain/sessions/lock'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { systemActor } from '@/lib/infrastructure/events/record'
import { systemContext } from '@/lib/kernel/context'
import { deletePasskeys } from './delete'
import { recordRecovery } from './recovery'

/** When the next recovery is due. */
export const nextRecovery = sql`SELECT "dueAt" FROM "PasskeyRecovery" ORDER BY "dueAt" LIMIT 1`

const batch = 100

/** Removes the passkeys of every account whose recovery is due, in one transaction per account. Called by the worker. */
export async function finishRecoveries(now: Date): Promise<void> {
  for (;;) {
    const due = await db().passkeyRecovery.findMany({
      where: { dueAt: { lte: now } },
      orderBy: { dueAt: 'asc' },
      take: batch,
      select: { id: true, ducklingId: true },
    })
    for (const { id, ducklingId } of due) await transaction((tx) => finishRecovery(tx, id, ducklingId, now))
    if (due.length < batch) return
  }
}

/**
 * Finishes one recovery that is due, and lets the sign-in link of the host work that waited for it. Does nothing when its row is gone, because
 * it was cancelled or finished meanwhile.
 */
export async function finishRecovery(tx: Tx, id: string, ducklingId: string, now: Date): Promise<void> {
  await lockDuckling(tx, ducklingId)
  const where = { id, dueAt: { lte: now } }
  const recovery = await tx.passkeyRecovery.findFirst({ where })
  const { count } = await tx.passkeyRecovery.deleteMany({ where })
  if (recovery === null || count !== 1) return
  const links = await tx.signInLink.updateMany({ where: { recoveryId: id }, data: { recoveryId: null } })
  const context = systemContext(now)
  const removed = await deletePasskeys(tx, context, { ducklingId, actor: systemActor })
  // The host can start one for an account without passkeys.
  if (links.count > 0 && removed.length === 0) return
  recordRecovery(tx, context, 'passkey.recovered', recovery, systemActor)
  enqueueNotice(tx, now, ducklingId, 'passkeys_removed', { at: now.toISOString() })
}
