/**
 * The way back for an owner who has lost every passkey (contract F): after a sign-in by code all passkeys can be removed, 24 hours
 * later and only if nobody cancels it. A row of `PasskeyRecovery` is a pending removal; whoever deletes the row decides.
 */
import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import type { PasskeyRecovery } from '@/lib/db/generated/client'
import { announceTo } from '@/lib/infrastructure/events/changes'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import { type Actor, record } from '@/lib/infrastructure/events/record'
import { day } from '@/lib/kernel/clock'
import type { Context } from '@/lib/kernel/context'
import { instant } from '@/lib/kernel/fields'

/** How long everybody who may cancel has time to do so. */
export const recoverySeconds = day

export const Recovery = z
  .object({ requested_at: instant, removes_at: instant })
  .meta({ id: 'PasskeyRecovery', description: 'A pending removal of all passkeys' })

export type RecoveryInput = z.input<typeof Recovery>

export function presentRecovery(row: PasskeyRecovery): RecoveryInput {
  return { requested_at: row.createdAt, removes_at: row.dueAt }
}

/** Returns the account's pending removal of passkeys, or null. */
export async function findRecovery(tx: Tx, ducklingId: string): Promise<RecoveryInput | null> {
  const row = await tx.passkeyRecovery.findUnique({ where: { ducklingId } })
  return row === null ? null : presentRecovery(row)
}

/** Records what became of a recovery: for the log, webhooks, and the streams of every session. */
export async function recordRecovery(
  tx: Tx,
  context: Context,
  kind: Extract<EventKind, `passkey.recover${string}`>,
  { ducklingId, createdAt, dueAt }: PasskeyRecovery,
  actor?: Actor,
): Promise<void> {
  const times = { requested_at: createdAt.toISOString(), removes_at: dueAt.toISOString() }
  await record(tx, context, kind, {
    concerning: [ducklingId],
    targets: [{ type: 'duckling', id: ducklingId }],
    metadata: times,
    data: { duckling_id: ducklingId, ...times },
    ...(actor === undefined ? {} : { actor }),
  })
  announceTo(tx, ducklingId)
}
