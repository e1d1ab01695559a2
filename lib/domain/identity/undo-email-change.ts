/**
 * Undoes a change of email address with the link that was mailed to the old address (contract F). With it, an owner gets back an
 * account that somebody took over.
 */
import { Prisma, type Tx } from '@/lib/db/client'
import { unique } from '@/lib/db/conflict'
import type { MailLink } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { revokeCodes } from '@/lib/domain/codes/codes'
import { findLink, spendLink } from '@/lib/domain/codes/mail-link'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { recordRecovery } from '@/lib/domain/passkeys/recovery'
import { removeDevices } from '@/lib/domain/sessions/devices'
import { endSessionsOf } from '@/lib/domain/sessions/end'
import { type LockedDuckling, lockDuckling } from '@/lib/domain/sessions/lock'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { record } from '@/lib/infrastructure/events/record'
import type { AnonymousContext } from '@/lib/kernel/context'

/**
 * Restores the old address as verified and ends all sessions and known devices. Also removes everything that could change the
 * address again: codes, later links, a pending removal of passkeys, and the passkeys that were added since the change or by the
 * session that made it. Everything else stays. Throws `link_invalid`.
 */
export function undoEmailChange(
  context: AnonymousContext<'link_invalid'>,
  token: string,
): Promise<{ success: true }> {
  const { now } = context
  return transaction(async (tx) => {
    const link = await findLink(tx, 'email_undo', token, now)
    if (link === null) throw context.fail('link_invalid')
    const { id, ducklingId, address, createdAt } = link
    // Before the account is locked, in the same order as in `changeEmail`, so that no deadlock can occur.
    await revokeCodes(tx, ducklingId, 'email_change', now)
    const before = await lockDuckling(tx, ducklingId)
    if (before === null || !(await spendLink(tx, id, now))) throw context.fail('link_invalid')
    await tx.mailLink.updateMany({
      where: { kind: 'email_undo', ducklingId, usedAt: null, createdAt: { gt: createdAt } },
      data: { usedAt: now },
    })
    await unique(
      tx.duckling.update({ where: { id: ducklingId }, data: { email: address, emailVerifiedAt: now } }),
      context.fail('link_invalid'),
    )
    await removeDevices(tx, Prisma.sql`"ducklingId" = ${ducklingId}`)
    await removePasskeys(tx, context, link)
    await cancelRecovery(tx, context, ducklingId)
    const sessions = await endSessionsOf(tx, ducklingId, 'all', now)
    record(tx, context, 'duckling.email_restored', {
      concerning: [ducklingId],
      targets: [
        { type: 'duckling', id: ducklingId },
        ...sessions.map((sessionId) => ({ type: 'session' as const, id: sessionId })),
      ],
    })
    notifyAddresses(tx, now, ducklingId, address, before)
    return { success: true }
  })
}

/** A thief who changed the address may have added a passkey to sign in again. */
async function removePasskeys(
  tx: Tx,
  context: AnonymousContext,
  { ducklingId, createdAt, subjectId }: MailLink,
): Promise<void> {
  const where = Prisma.sql`"createdAt" >= ${createdAt}::timestamptz OR "sessionId" = ${subjectId}::text`
  await deletePasskeys(tx, context, { ducklingId, where })
}

async function cancelRecovery(tx: Tx, context: AnonymousContext, ducklingId: string): Promise<void> {
  const recovery = await tx.passkeyRecovery.findUnique({ where: { ducklingId } })
  if (recovery === null) return
  const { count } = await tx.passkeyRecovery.deleteMany({ where: { id: recovery.id } })
  if (count === 1) recordRecovery(tx, context, 'passkey.recovery_cancelled', recovery)
}

/** Mails the restored address, and the address that loses the account if it was verified. */
function notifyAddresses(
  tx: Tx,
  now: Date,
  ducklingId: string,
  address: string,
  before: LockedDuckling,
): void {
  const at = now.toISOString()
  enqueueNotice(tx, now, ducklingId, 'email_restored', { at })
  if (before.email === null || before.email === address || before.emailVerifiedAt === null) return
  enqueue(tx, now, 'letter', { to: before.email, notice: 'email_changed', facts: { at } })
}
