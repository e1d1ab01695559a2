import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { systemContext } from '@/lib/kernel/context'

/** Records in the log of an account that it came back with a backup. Called by the worker; a second call records nothing. */
export async function recordRestore(
  { duckling_id, made_at, restored_at }: OutboxPayloads['restored'],
  now: Date,
): Promise<void> {
  const [known] = await db().rows<{ found: boolean }>`
    SELECT true AS "found" FROM "AuditEvent"
    WHERE "ducklingId" = ${duckling_id} AND "action" = 'service.restored' AND "metadata"->>'restored_at' = ${restored_at} LIMIT 1`
  if (known) return
  await transaction(async (tx) =>
    record(tx, systemContext(now), 'service.restored', {
      concerning: [duckling_id],
      actor: systemActor,
      isDeferred: true,
      metadata: { made_at, restored_at },
    }),
  )
}
