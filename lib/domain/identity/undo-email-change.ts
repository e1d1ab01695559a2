/**
 * The undo of a change of address that an older passkey confirmed waits for a day (contract F, Undo of a change of address): then the owner
 * may have fled from a stolen mailbox, and must not be pulled back by the link in it.
 */

import { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import { unique } from '@/lib/db/conflict'
import type { MailLink } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { transaction, withCurrentTime } from '@/lib/db/transaction'
import { revokeCodes } from '@/lib/domain/codes/codes'
import { findLink, spendLink } from '@/lib/domain/codes/mail-link'
import { lockAccount, type Owner, takeAway } from '@/lib/domain/revocation/kinds'
import { type Ended, pick } from '@/lib/domain/revocation/taking'
import { isConfirmedByOlder, lockCaller, lockDuckling, requirePasskey } from '@/lib/domain/sessions/proof'
import { enqueue, enqueueNotice, type NoticeFacts } from '@/lib/infrastructure/events/outbox'
import { record } from '@/lib/infrastructure/events/record'
import { type AnonymousContext, type DucklingContext, systemContext } from '@/lib/kernel/request/context'
import { Failure } from '@/lib/kernel/request/failures'
import { instant } from '@/lib/kernel/request/fields'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { type RemovedKind, removedKinds } from '@/lib/kernel/text/removed-words'

export const Undone = z.object({
  success: z.literal(true),
  restores_at: instant
    .nullable()
    .meta({ description: 'When the address is restored. Null: it is restored now.' }),
})
type UndoneInput = z.input<typeof Undone>

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
async function startWaiting(
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

/**
 * Undoes a change of email address with the link that was mailed to the old address. With it, an owner gets back an
 * account that somebody took over.
 */

/** What the event and the mail list. `settings`: the events of changes that stay. */
type Removed = Pick<Ended, RemovedKind | 'settings'>

/**
 * Restores the old address as verified. Takes away everything that could change the address again, and what a thief may have made
 * (lib/domain/revocation/kinds.ts): the owner comes back without knowing what was prepared, so nothing of that time works unless the owner keeps it.
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
  const { id, ducklingId, address, createdAt, subjectId } = link
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
  // What any session made since the change, and what the session that changed the address made before: a session lives for a day.
  const ended = await takeAway(tx, {
    occasion: 'undo',
    context,
    ducklingId,
    since: createdAt,
    isMade: (session, at) =>
      sql`(${at} >= ${createdAt}::timestamptz OR COALESCE(${session} = ${subjectId}::text, false))`,
  })
  const removed = pick(ended, [...removedKinds, 'settings'])
  record(tx, context, 'duckling.email_restored', {
    concerning: [ducklingId],
    targets: [
      { type: 'duckling', id: ducklingId },
      ...ended.sessions.map((sessionId) => ({ type: 'session' as const, id: sessionId })),
    ],
    metadata: removed,
  })
  await notifyAddresses(tx, now, link, before, removed)
}

/** Mails the restored address what was removed, and tells the address that loses the account if it was verified. */
async function notifyAddresses(
  tx: Tx,
  now: Date,
  { ducklingId, address }: MailLink,
  { verifiedEmail }: Owner,
  removed: Removed,
): Promise<void> {
  const at = now.toISOString()
  enqueueNotice(tx, now, ducklingId, 'email_restored', { at, ...(await factsOf(tx, removed)) })
  if (verifiedEmail === null || verifiedEmail === address) return
  enqueue(tx, now, 'letter', { to: verifiedEmail, notice: 'email_changed', facts: { at } })
}

/** How many names of agents the mail has. */
const namesMax = 5

/** Returns the number of each kind, the names of the first agents and the events of changed settings, as facts of a notice. */
async function factsOf(tx: Tx, { settings, ...removed }: Removed): Promise<NoticeFacts> {
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
