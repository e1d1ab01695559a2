import { db, type Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { recordPeck } from '@/lib/domain/pecks/record'
import { readPecks } from '@/lib/domain/pecks/rows'
import { systemActor } from '@/lib/infrastructure/events/record'
import { systemContext } from '@/lib/kernel/context'

const batchSize = 100

/** Marks a pending peck as expired when its time is up. Does nothing when it was decided or is already marked. */
export async function expirePeck(tx: Tx, peckId: string, now: Date): Promise<void> {
  const [expired] = await readPecks(
    tx,
    sql`UPDATE "Peck" SET "status" = 'expired', "pendingKey" = NULL, "snoozedUntil" = NULL
      WHERE "id" = ${peckId} AND "status" = 'pending' AND "rejectAt" IS NULL AND "expiresAt" <= ${now}::timestamptz RETURNING *`,
  )
  if (expired) recordPeck(tx, systemContext(now), 'peck.expired', expired, { actor: systemActor })
}

/** When the next peck expires, with the conditions of the index "Peck_due_idx". */
export const nextExpiry = sql`
  SELECT "expiresAt" FROM "Peck" WHERE "status" = 'pending' AND "pendingKey" IS NOT NULL AND "rejectAt" IS NULL
  ORDER BY "expiresAt" LIMIT 1`

/** Expires every pending peck whose time is up, each in its own transaction. Called by the worker. */
export async function expirePecks(now: Date): Promise<void> {
  for (;;) {
    // The conditions of the index "Peck_due_idx".
    const due = await db().rows<{ id: string }>`
      SELECT "id" FROM "Peck" WHERE "status" = 'pending' AND "pendingKey" IS NOT NULL AND "rejectAt" IS NULL AND "expiresAt" <= ${now}
      ORDER BY "expiresAt" LIMIT ${batchSize}`
    for (const { id } of due) await transaction((tx) => expirePeck(tx, id, now))
    if (due.length < batchSize) return
  }
}
