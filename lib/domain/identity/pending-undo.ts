/**
 * The undo of a change of address that an older passkey confirmed waits for a day (contract F, Undo of a change of address): then the owner
 * may have fled from a stolen mailbox, and must not be pulled back by the link in it.
 */
import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import type { MailLink } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { lockCaller, lockDuckling } from '@/lib/domain/sessions/lock'
import { isConfirmedByOlder, requirePasskey } from '@/lib/domain/sessions/proof'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { record } from '@/lib/infrastructure/events/record'
import { day, secondsAfter } from '@/lib/kernel/clock'
import type { AnonymousContext, DucklingContext } from '@/lib/kernel/context'
import { instant } from '@/lib/kernel/fields'

export const Undone = z.object({
  success: z.literal(true),
  restores_at: instant
    .nullable()
    .meta({ description: 'When the address is restored. Null: it is restored now.' }),
})
export type UndoneInput = z.input<typeof Undone>

/** An undo that waits. */
export const PendingUndo = z
  .object({ restores_at: instant })
  .meta({ id: 'PendingUndo', description: 'An undo of a change of address that waits for a day' })

/** Returns the time since which the account must have had a passkey. A thief of the mailbox may have added a newer one for the change. */
export const knownSince = (changedAt: Date): Date => secondsAfter(changedAt, -day)

/** The row outlives its due time, so that the worker finds it after an outage. Until then the old address stays reserved. */
const graceSeconds = 7 * day

/**
 * Starts the waiting day of an undo, and notifies the account. Returns when the day ends. A second use of the link changes nothing. Throws
 * `link_invalid` when the account is closed or the link was used meanwhile.
 */
export async function startWaiting(
  tx: Tx,
  context: AnonymousContext<'link_invalid'>,
  { id, ducklingId, expiresAt }: MailLink,
): Promise<Date> {
  const { now } = context
  if ((await lockDuckling(tx, ducklingId)) === null) throw context.fail('link_invalid')
  const link = await tx.mailLink.findFirst({ where: { id, usedAt: null } })
  if (link === null) throw context.fail('link_invalid')
  if (link.dueAt !== null) return link.dueAt
  const dueAt = secondsAfter(now, day)
  const keptUntil = secondsAfter(dueAt, graceSeconds)
  await tx.mailLink.update({
    where: { id },
    data: { dueAt, expiresAt: keptUntil > expiresAt ? keptUntil : expiresAt },
  })
  const due = dueAt.toISOString()
  record(tx, context, 'duckling.email_restore_started', {
    concerning: [ducklingId],
    targets: [{ type: 'duckling', id: ducklingId }],
    metadata: { restores_at: due },
  })
  enqueueNotice(tx, now, ducklingId, 'email_restore_started', { at: now.toISOString(), due })
  return dueAt
}

/**
 * Cancels the waiting undos of the caller's account. Their links are used up. Throws `undo_not_pending`, `fresh_passkey_needed`,
 * `older_passkey_needed` when the passkey that confirmed the session is not one from before the change, or `session_invalid`.
 */
export function cancelUndo(
  context: DucklingContext<
    'undo_not_pending' | 'fresh_passkey_needed' | 'older_passkey_needed' | 'session_invalid'
  >,
): Promise<{ success: true }> {
  const { caller, now } = context
  return transaction(async (tx) => {
    await lockCaller(tx, context)
    const pending = { ducklingId: caller.id, kind: 'email_undo', usedAt: null, dueAt: { not: null } }
    const oldest = await tx.mailLink.findFirst({ where: pending, orderBy: { createdAt: 'asc' } })
    if (oldest === null) throw context.fail('undo_not_pending')
    requirePasskey(context)
    if (!(await isConfirmedByOlder(tx, context, knownSince(oldest.createdAt))))
      throw context.fail('older_passkey_needed')
    await tx.mailLink.updateMany({ where: pending, data: { usedAt: now } })
    record(tx, context, 'duckling.email_restore_cancelled', {
      targets: [{ type: 'duckling', id: caller.id }],
    })
    enqueueNotice(tx, now, caller.id, 'email_restore_cancelled', { at: now.toISOString() })
    return { success: true }
  })
}
