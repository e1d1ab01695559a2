/**
 * Recovery for owners who have lost all their passkeys: after a sign-in by code they can ask to remove all passkeys.
 * The removal happens 24 hours later, unless it is cancelled. Each row of `PasskeyRecovery` is a pending removal. To finish or cancel
 * it, a transaction must delete the row, so only one of them succeeds.
 */

import { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import type { PasskeyRecovery } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { createLink, findLink, spendLink, undoAddresses } from '@/lib/domain/codes/mail-link'
import { enqueueText } from '@/lib/domain/codes/texts'
import { type LockedDuckling, lockCaller, lockDuckling, requireFreshCode } from '@/lib/domain/sessions/proof'
import type { SentKind } from '@/lib/infrastructure/events/kinds'
import { enqueueNotice, noticePauseSeconds } from '@/lib/infrastructure/events/outbox'
import { type Actor, record } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import { m } from '@/lib/kernel/messages'
import type { AgentCaller, Context, DucklingContext, SessionCaller } from '@/lib/kernel/request/context'
import { instant } from '@/lib/kernel/request/fields'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/request/page'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { type ListedPasskeyInput, presentPasskey } from './schema'

/** Seconds until the removal, in which it can be cancelled. */
export const recoverySeconds = day

export const Recovery = z
  .object({
    requested_at: instant,
    removes_at: instant,
    by_host: z.boolean().meta({ description: 'The host made a sign-in link, which works when it is over.' }),
  })
  .meta({ id: 'PasskeyRecovery', description: 'A pending removal of all passkeys' })

type RecoveryInput = z.input<typeof Recovery>

/** A command of the host has no session. */
const isByHost = ({ sessionId }: Pick<PasskeyRecovery, 'sessionId'>): boolean => sessionId === ''

export function presentRecovery(
  row: Pick<PasskeyRecovery, 'createdAt' | 'dueAt' | 'sessionId'>,
): RecoveryInput {
  return { requested_at: row.createdAt, removes_at: row.dueAt, by_host: isByHost(row) }
}

/** Returns the account's pending removal of passkeys, or null. */
export async function findRecovery(tx: Tx, ducklingId: string): Promise<RecoveryInput | null> {
  const row = await tx.passkeyRecovery.findUnique({ where: { ducklingId } })
  return row === null ? null : presentRecovery(row)
}

/** Records a step of a recovery in the audit log, for webhooks, and in the event streams of all sessions of the account. */
export function recordRecovery(
  tx: Tx,
  context: Context,
  kind: Extract<SentKind, `passkey.${string}`>,
  { ducklingId, createdAt, dueAt }: PasskeyRecovery,
  actor?: Actor,
): void {
  const times = { requested_at: createdAt.toISOString(), removes_at: dueAt.toISOString() }
  record(tx, context, kind, {
    concerning: [ducklingId],
    targets: [{ type: 'duckling', id: ducklingId }],
    metadata: times,
    data: { duckling_id: ducklingId, requested_at: createdAt, removes_at: dueAt },
    ...(actor === undefined ? {} : { actor }),
  })
  signal(tx, ducklingId)
}

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
  await enqueueText(tx, context, caller.id, context.byHost ? 'link_made' : 'recovery_started', recovery.dueAt)
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
 * Returns when the next mail may be sent. There is at most one in ten minutes, even when a recovery is cancelled and started again.
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

interface Cancelled {
  success: true
}

/**
 * Cancels the pending removal of the caller's passkeys, or, with a token, the removal of the account that got the mailed link. Throws
 * `invalid_request` without session and token, `agent_not_allowed` for an agent, `link_invalid`, or `recovery_not_pending` when no
 * removal is pending.
 */
export async function cancelRecovery(
  context: Context<
    SessionCaller | AgentCaller | null,
    'invalid_request' | 'agent_not_allowed' | 'link_invalid' | 'recovery_not_pending'
  >,
  token: string | undefined,
): Promise<Cancelled> {
  if (token !== undefined) return cancelByLink({ ...context, caller: null }, token)
  const { caller } = context
  if (caller === null)
    throw context.fail('invalid_request', {
      errors: [{ field: 'token', message: m.field_is_required_without_session() }],
    })
  if (caller.type === 'agent') throw context.fail('agent_not_allowed')
  return transaction((tx) => cancel(tx, { ...context, caller }, caller.id, {}))
}

function cancelByLink(
  context: Context<null, 'link_invalid' | 'recovery_not_pending'>,
  token: string,
): Promise<Cancelled> {
  const { now } = context
  return transaction(async (tx) => {
    const link = await findLink(tx, 'recovery_cancel', token, now)
    if (link === null) throw context.fail('link_invalid')
    const cancelled = await cancel(tx, context, link.ducklingId, { id: link.subjectId ?? '' })
    await spendLink(tx, link.id, now)
    return cancelled
  })
}

/** Deletes the row of the recovery. When the worker removes the passkeys at the same time, only one of the two finds the row. */
async function cancel(
  tx: Tx,
  context: Context<SessionCaller | null, 'recovery_not_pending'>,
  ducklingId: string,
  which: { id?: string },
): Promise<Cancelled> {
  const { now } = context
  const account = await lockDuckling(tx, ducklingId)
  const where = { ducklingId, ...which }
  const recovery = await tx.passkeyRecovery.findFirst({ where })
  const { count } = await tx.passkeyRecovery.deleteMany({ where })
  if (account === null || recovery === null || count !== 1) throw context.fail('recovery_not_pending')
  recordRecovery(tx, context, 'passkey.recovery_cancelled', recovery)
  enqueueNotice(tx, now, ducklingId, 'recovery_cancelled', { at: now.toISOString() })
  return { success: true }
}

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
