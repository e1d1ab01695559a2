/**
 * Removes what a thief may have made in an account, when a change of its address is undone (contract F, Undo of a change of address). The
 * owner comes back without knowing what was prepared meanwhile, so nothing of that time keeps working unless the owner keeps it.
 */
import type { Tx } from '@/lib/db/client'
import type { MailLink } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { showHidden } from '@/lib/domain/pecks/blocks/hidden-pecks'
import { removeDevices } from '@/lib/domain/sessions/devices'
import { endSessionsOf } from '@/lib/domain/sessions/end'
import { record, stopSessions } from '@/lib/infrastructure/events/record'
import { day, secondsAfter } from '@/lib/kernel/clock'
import type { Context } from '@/lib/kernel/context'
import { type RemovedKind, settingEvents } from '@/lib/kernel/text/removed-words'
import { madeRow, type Removal, removeMade } from './remove-made'

/** Ids of what was removed or suspended, by kind. `settings`: the events of changes that stay. */
export type Restored = Record<RemovedKind | 'settings' | 'sessions', string[]>

/**
 * Ends all sessions and known devices of a locked account. Removes or suspends what any session made since the change, and what the
 * session that changed the address made before: a session lives for a day. Settings stay and are listed.
 */
export async function restoreAccount(tx: Tx, context: Context, link: MailLink): Promise<Restored> {
  const { now } = context
  const { ducklingId, createdAt, subjectId } = link
  const removal: Removal = {
    ducklingId,
    cause: 'email_restored',
    isMade: (session, at) =>
      sql`(${at} >= ${createdAt}::timestamptz OR COALESCE(${session} = ${subjectId}::text, false))`,
    holds: true,
  }
  const sessions = await endSessionsOf(tx, ducklingId, 'all', now)
  // Waits for running commands of the sessions, so that what they made is removed too.
  await stopSessions(tx, ducklingId, null, now)
  await removeDevices(tx, sql`"ducklingId" = ${ducklingId}`)
  const settings = await changedSettings(tx, link)
  if (settings.some((action) => action.startsWith('rule.'))) await pauseAllRulesOf(tx, context, ducklingId)
  return {
    sessions,
    ...(await removeMade(tx, context, removal)),
    shared_receipts: await unshareReceipts(tx, removal),
    blocks: await removeBlocks(tx, context, removal),
    settings,
  }
}

/** Pauses all rules with one switch, because a rule that forbade something may be gone. The owner resumes them with a passkey. */
async function pauseAllRulesOf(tx: Tx, context: Context, ducklingId: string): Promise<void> {
  const { count } = await tx.duckling.updateMany({
    where: { id: ducklingId, rulesPausedAt: null },
    data: { rulesPausedAt: context.now },
  })
  if (count > 0)
    record(tx, context, 'rule.paused', {
      concerning: [ducklingId],
      metadata: { all: true, reason: 'email_restored' },
    })
}

async function unshareReceipts(tx: Tx, removal: Removal): Promise<string[]> {
  const unshared = await tx.rows<{ peckId: string }>`
    DELETE FROM "SharedReceipt" WHERE "ducklingId" = ${removal.ducklingId} AND ${madeRow(removal)} RETURNING "peckId"`
  return unshared.map(({ peckId }) => peckId).sort()
}

/** Removes blocks and shows the requests that they had hidden. Returns the ids of the ducklings. */
async function removeBlocks(tx: Tx, { now }: Context, removal: Removal): Promise<string[]> {
  const { ducklingId } = removal
  const removed = await tx.rows<{ id: string }>`
    DELETE FROM "PeckBlock" WHERE "ducklingId" = ${ducklingId} AND ${madeRow(removal)} RETURNING "blockedDucklingId" AS "id"`
  const ids = removed.map(({ id }) => id).sort()
  for (const id of ids) await showHidden(tx, id, ducklingId, now)
  return ids
}

/**
 * Returns the kinds of events with which the account changed settings since, and in the day before: a thief may prepare an account before changing its
 * address. What a setting was before is not stored.
 */
async function changedSettings(tx: Tx, { ducklingId, createdAt }: MailLink): Promise<string[]> {
  const events = await tx.rows<{ action: string }>`
    SELECT DISTINCT "action" FROM "AuditEvent" WHERE "ducklingId" = ${ducklingId}
      AND "action" = ANY(${[...settingEvents]}::text[]) AND "outcome" = 'success' AND "actorId" = ${ducklingId}
      AND "occurredAt" >= ${secondsAfter(createdAt, -day)}::timestamptz`
  return events.map(({ action }) => action).sort()
}
