/** The time that faults need: waits that are over at once, and a clock that goes wrong. */
import { db } from '@/lib/db/client'
import { singleton } from '@/lib/kernel/singleton'

/** Makes every row of the outbox due, as after its next wait. */
export async function makeDue(): Promise<void> {
  await db().run`UPDATE "Outbox" SET "claimedUntil" = NULL, "dueAt" = now() WHERE "failedAt" IS NULL`
  await db().run`UPDATE "WebhookEndpoint" SET "pausedUntil" = NULL WHERE "pausedUntil" IS NOT NULL`
  await db().run`UPDATE "WebhookQueue" SET "dueAt" = now()`
}

/** Sets the clock of this process wrong by some seconds, or right. */
export function setClockWrong(seconds: number): void {
  singleton('clock', () => ({ milliseconds: 0 })).milliseconds = seconds * 1000
}
