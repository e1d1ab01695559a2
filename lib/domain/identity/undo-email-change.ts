/**
 * Undoes a change of email address with the link that was mailed to the old address (contract F). With it, an owner gets back an
 * account that somebody took over.
 */
import { db, type Tx } from '@/lib/db/client'
import { unique } from '@/lib/db/conflict'
import type { MailLink } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { revokeCodes } from '@/lib/domain/codes/codes'
import { findLink, spendLink } from '@/lib/domain/codes/mail-link'
import { recordRecovery } from '@/lib/domain/passkeys/recovery'
import { lockAccount, type Owner } from '@/lib/domain/revocation/lock-account'
import { type Restored, restoreAccount } from '@/lib/domain/revocation/restore-account'
import { enqueueNotice, type NoticeFacts } from '@/lib/infrastructure/events/notices'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { record } from '@/lib/infrastructure/events/record'
import { withCurrentTime } from '@/lib/kernel/clock'
import { type AnonymousContext, systemContext } from '@/lib/kernel/context'
import { Failure } from '@/lib/kernel/failures'
import { startWaiting, type UndoneInput } from './pending-undo'

/**
 * Restores the old address as verified and ends all sessions and known devices. Also removes everything that could change the
 * address again: codes, later links and a pending removal of passkeys, and everything that a thief may have made (`restoreAccount`).
 * When an older passkey confirmed the change, only starts the waiting day. Throws `link_invalid`.
 */
export function undoEmailChange(
  context: AnonymousContext<'link_invalid'>,
  token: string,
): Promise<UndoneInput> {
  const { now } = context
  return transaction(async (tx) => {
    const link = await findLink(tx, 'email_undo', token, now)
    if (link === null) throw context.fail('link_invalid')
    const waitsUntil = link.waits ? await startWaiting(tx, context, link) : now
    if (waitsUntil > now) return { success: true, restores_at: waitsUntil }
    await restore(tx, context, link)
    return { success: true, restores_at: null }
  })
}

/** When the next waiting day is over. */
export const nextUndo = sql`
  SELECT "dueAt" FROM "MailLink" WHERE "kind" = 'email_undo' AND "usedAt" IS NULL AND "dueAt" IS NOT NULL ORDER BY "dueAt" LIMIT 1`

/** How many undos one transaction each finishes before it looks again. */
const batch = 100

/** Restores the addresses whose waiting day is over. Called by the worker. */
export async function finishUndos(now: Date): Promise<void> {
  const context = systemContext(now)
  for (;;) {
    const due = await db().mailLink.findMany({
      where: { kind: 'email_undo', usedAt: null, dueAt: { lte: now } },
      orderBy: { dueAt: 'asc' },
      take: batch,
    })
    for (const link of due)
      await transaction((tx) => restore(tx, context, link)).catch((error: unknown) => {
        // Somebody cancelled it meanwhile, or closed the account.
        if (!(error instanceof Failure)) throw error
      })
    if (due.length < batch) return
  }
}

async function restore(tx: Tx, given: AnonymousContext<'link_invalid'>, link: MailLink): Promise<void> {
  const { id, ducklingId, address, createdAt } = link
  // Before the account is locked, in the same order as in `changeEmail`, so that no deadlock can occur.
  await revokeCodes(tx, ducklingId, 'email_change', given.now)
  const before = await lockAccount(tx, ducklingId, given.now)
  const context = withCurrentTime(given)
  const { now } = context
  if (before === null || !(await spendLink(tx, id, now))) throw context.fail('link_invalid')
  await tx.mailLink.updateMany({
    where: { kind: 'email_undo', ducklingId, usedAt: null, createdAt: { gt: createdAt } },
    data: { usedAt: now },
  })
  await unique(
    tx.duckling.update({ where: { id: ducklingId }, data: { email: address, emailVerifiedAt: now } }),
    context.fail('link_invalid'),
  )
  const { sessions, ...removed } = await restoreAccount(tx, context, link)
  await cancelRecovery(tx, context, ducklingId)
  await tx.signInLink.deleteMany({ where: { ducklingId } })
  record(tx, context, 'duckling.email_restored', {
    concerning: [ducklingId],
    targets: [
      { type: 'duckling', id: ducklingId },
      ...sessions.map((sessionId) => ({ type: 'session' as const, id: sessionId })),
    ],
    metadata: removed,
  })
  await notifyAddresses(tx, now, link, before, removed)
}

async function cancelRecovery(tx: Tx, context: AnonymousContext, ducklingId: string): Promise<void> {
  const recovery = await tx.passkeyRecovery.findUnique({ where: { ducklingId } })
  if (recovery === null) return
  const { count } = await tx.passkeyRecovery.deleteMany({ where: { id: recovery.id } })
  if (count === 1) recordRecovery(tx, context, 'passkey.recovery_cancelled', recovery)
}

/** Mails the restored address what was removed, and tells the address that loses the account if it was verified. */
async function notifyAddresses(
  tx: Tx,
  now: Date,
  { ducklingId, address }: MailLink,
  { verifiedEmail }: Owner,
  removed: Omit<Restored, 'sessions'>,
): Promise<void> {
  const at = now.toISOString()
  enqueueNotice(tx, now, ducklingId, 'email_restored', { at, ...(await factsOf(tx, removed)) })
  if (verifiedEmail === null || verifiedEmail === address) return
  enqueue(tx, now, 'letter', { to: verifiedEmail, notice: 'email_changed', facts: { at } })
}

/** How many names of agents the mail has. */
const namesMax = 5

/** Returns the number of each kind, the names of the first agents and the events of changed settings, as facts of a notice. */
async function factsOf(tx: Tx, { settings, ...removed }: Omit<Restored, 'sessions'>): Promise<NoticeFacts> {
  const agents = await tx.agent.findMany({
    where: { id: { in: removed.agents } },
    orderBy: { id: 'asc' },
    take: namesMax,
    select: { name: true },
  })
  const counts = Object.entries(removed).map(([kind, ids]) => [kind, String(ids.length)])
  return {
    ...Object.fromEntries(counts),
    agent_names: agents.map(({ name }) => name).join('\n'),
    settings: settings.join('\n'),
  }
}
