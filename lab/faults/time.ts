/** The time that faults need: waits that are over at once, and a clock that goes wrong. */
import { db } from '@/lib/db/client'
import { setMachineClock } from '@/lib/fixtures/machine-clock.mjs'

/** Makes every row of the outbox due, as after its next wait. A process counts on from its last measurement of the clock, and may be a little behind. */
export async function makeDue(): Promise<void> {
  await db()
    .run`UPDATE "Outbox" SET "claimedUntil" = NULL, "dueAt" = now() - interval '1 second' WHERE "failedAt" IS NULL`
  await db().run`UPDATE "WebhookEndpoint" SET "pausedUntil" = NULL WHERE "pausedUntil" IS NOT NULL`
  await db().run`UPDATE "WebhookQueue" SET "dueAt" = now() - interval '1 second'`
}

/** Sets the clock of this machine wrong by some seconds, or right. */
export const setClockWrong = setMachineClock
