import { db } from '@/lib/db/client'
import { day, secondsAfter } from '@/lib/kernel/clock'

/** Spec silent: how long messages and what became of them can be looked at and sent again. */
const keptSeconds = 30 * day
const batch = 1000

/** Deletes messages whose time is over, with their deliveries, and old secrets that no longer sign. A chore of the worker. */
export async function forgetMessages(now: Date): Promise<void> {
  await db().webhookEndpoint.updateMany({
    where: { previousSecretUntil: { lte: now } },
    data: { previousSecret: null, previousSecretUntil: null },
  })
  const before = secondsAfter(now, -keptSeconds)
  for (;;) {
    const count = await db().$executeRaw`
      DELETE FROM "WebhookMessage" WHERE "id" IN (
        SELECT "id" FROM "WebhookMessage" WHERE "createdAt" < ${before}::timestamptz LIMIT ${batch}::int
      )`
    if (count < batch) return
  }
}
