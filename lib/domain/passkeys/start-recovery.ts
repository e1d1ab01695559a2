import type { Tx } from '@/lib/db/client'
import type { PasskeyRecovery } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { createLink, undoAddresses } from '@/lib/domain/codes/mail-link'
import { enqueueText } from '@/lib/domain/codes/texts'
import { type LockedDuckling, lockCaller, lockDuckling } from '@/lib/domain/sessions/lock'
import { requireFreshCode } from '@/lib/domain/sessions/proof'
import { noticePauseSeconds } from '@/lib/infrastructure/events/notices'
import { secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/ids'
import { presentRecovery, type RecoveryInput, recordRecovery, recoverySeconds } from './recovery'

/**
 * Starts the removal of all the caller's passkeys, due in 24 hours, or in 48 when something that would warn the owner was taken away, and notifies everybody who can cancel it. When a removal is
 * pending already, returns it unchanged. Throws `fresh_code_needed`, `no_passkey_registered`, or `session_invalid` when the session has just
 * ended.
 */
export function startRecovery(
  context: DucklingContext<'fresh_code_needed' | 'no_passkey_registered' | 'session_invalid'>,
): Promise<{ status: 'pending' } & RecoveryInput> {
  const { caller } = context
  return transaction(async (tx) => {
    requireFreshCode(context)
    const owner = await lockCaller(tx, context)
    const pending = await tx.passkeyRecovery.findUnique({ where: { ducklingId: caller.id } })
    if (pending !== null) return { status: 'pending', ...presentRecovery(pending) }
    if ((await tx.passkey.count({ where: { ducklingId: caller.id } })) === 0)
      throw context.fail('no_passkey_registered')
    const recovery = await start(tx, context, owner)
    return { status: 'pending', ...presentRecovery(recovery) }
  })
}

/**
 * Does the same by a command of the host, also for an account without passkeys: a sign-in link works afterwards. Returns null when a removal is
 * pending already, or the account is closed.
 */
export async function startRecoveryByHost(tx: Tx, context: DucklingContext): Promise<PasskeyRecovery | null> {
  const { caller } = context
  const owner = await lockDuckling(tx, caller.id)
  if (owner === null || (await tx.passkeyRecovery.count({ where: { ducklingId: caller.id } })) > 0)
    return null
  return start(tx, context, owner)
}

async function start(tx: Tx, context: DucklingContext, owner: LockedDuckling): Promise<PasskeyRecovery> {
  const { caller, now } = context
  const recovery = await tx.passkeyRecovery.create({
    data: {
      id: newId('recovery', now),
      ducklingId: caller.id,
      sessionId: caller.sessionId,
      createdAt: now,
      dueAt: secondsAfter(now, (await wasSilenced(tx, context)) ? 2 * recoverySeconds : recoverySeconds),
    },
  })
  await mailCancelLinks(tx, recovery, owner)
  await enqueueText(tx, context, caller.id, context.byHost ? 'link_made' : 'recovery_started')
  recordRecovery(tx, context, 'passkey.recovery_started', recovery)
  return recovery
}

/**
 * Whether a session of the account ended others or took away a channel in the last day: a thief of the mailbox would do that first, so that
 * nobody cancels the removal.
 */
async function wasSilenced(tx: Tx, { caller, now }: DucklingContext): Promise<boolean> {
  const since = secondsAfter(now, -recoverySeconds)
  const where = { ducklingId: caller.id, silencedAt: { gt: since } }
  return (await tx.session.findFirst({ where, select: { id: true } })) !== null
}

/** Mails links to the account's address and to every earlier address that can still undo its change. */
async function mailCancelLinks(
  tx: Tx,
  { id: subjectId, ducklingId, createdAt, dueAt }: PasskeyRecovery,
  { email, emailVerifiedAt }: LockedDuckling,
): Promise<void> {
  const own = email === null || emailVerifiedAt === null ? [] : [email]
  const mailedAt = await nextMailTime(tx, ducklingId, createdAt)
  for (const address of new Set([...own, ...(await undoAddresses(tx, ducklingId, createdAt))])) {
    const link = { kind: 'recovery_cancel' as const, ducklingId, address, subjectId, createdAt }
    await createLink(tx, { ...link, expiresAt: dueAt }, createdAt, mailedAt)
  }
}

/**
 * Returns when the next mail may be sent. There is at most one in ten minutes, also when a recovery is cancelled and started again.
 * When the recovery is cancelled before, its mail is not sent.
 */
async function nextMailTime(tx: Tx, ducklingId: string, now: Date): Promise<Date> {
  const newest = await tx.mailLink.findFirst({
    where: { kind: 'recovery_cancel', ducklingId },
    orderBy: { createdAt: 'desc' },
    select: { createdAt: true },
  })
  const allowed = newest === null ? now : secondsAfter(newest.createdAt, noticePauseSeconds)
  return allowed > now ? allowed : now
}
