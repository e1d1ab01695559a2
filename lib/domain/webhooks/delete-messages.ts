import { db } from '@/lib/db/client'
import { day, secondsAfter } from '@/lib/kernel/clock'

/** How long messages can be listed and redelivered (contract G). */
const retentionSeconds = 30 * day
const batch = 1000

/** Deletes messages after 30 days with their deliveries, and old secrets that no longer sign. Called by the worker. */
export async function deleteOldMessages(now: Date): Promise<void> {
  await db().webhookEndpoint.updateMany({
    where: { previousSecretUntil: { lte: now } },
    data: { previousSecret: null, previousSecretUntil: null },
  })
  const before = secondsAfter(now, -retentionSeconds)
  for (;;) {
    const count = await db().run`
      DELETE FROM "WebhookMessage" WHERE "id" IN (
        SELECT "id" FROM "WebhookMessage" WHERE "createdAt" < ${before}::timestamptz LIMIT ${batch}::int
      )`
    if (count < batch) return
  }
}
