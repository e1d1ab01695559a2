/**
 * Recovery for owners who have lost all their passkeys (contract F): after a sign-in by code they can ask to remove all passkeys.
 * The removal happens 24 hours later, unless it is cancelled. Each row of `PasskeyRecovery` is a pending removal. To finish or cancel
 * it, a transaction must delete the row, so only one of them succeeds.
 */
import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import type { PasskeyRecovery } from '@/lib/db/generated/client'
import type { SentKind } from '@/lib/infrastructure/events/kinds'
import { type Actor, record } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import { day } from '@/lib/kernel/clock'
import type { Context } from '@/lib/kernel/context'
import { instant } from '@/lib/kernel/fields'

/** Seconds until the removal, in which it can be cancelled. */
export const recoverySeconds = day

export const Recovery = z
  .object({
    requested_at: instant,
    removes_at: instant,
    by_host: z.boolean().meta({ description: 'The host made a sign-in link, which works when it is over.' }),
  })
  .meta({ id: 'PasskeyRecovery', description: 'A pending removal of all passkeys' })

export type RecoveryInput = z.input<typeof Recovery>

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
