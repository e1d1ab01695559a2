import { transaction } from '@/lib/db/transaction'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { hour, secondsAfter } from '@/lib/kernel/clock'
import type { AnonymousContext } from '@/lib/kernel/context'

/**
 * Takes a request to subscribe: the address is subscribed once its owner follows the link that is mailed there, at most
 * once an hour. Every address goes through the same statements, so neither answer nor time tells who subscribes.
 */
export async function subscribe(
  context: AnonymousContext,
  email: string,
  partnerType: string | undefined,
): Promise<void> {
  const { now } = context
  await transaction(async (tx) => {
    // Somebody who subscribes already stays on the list they chose, whoever asks.
    await tx.$executeRaw`
      INSERT INTO "Subscription" AS s ("email", "partnerType", "status", "createdAt")
      VALUES (${email}, ${partnerType ?? null}::text, 'pending', ${now}::timestamptz)
      ON CONFLICT ("email") DO UPDATE SET
        "status" = CASE WHEN s."status" = 'subscribed' THEN s."status" ELSE 'pending' END,
        "partnerType" = CASE WHEN s."status" = 'subscribed' THEN s."partnerType" ELSE EXCLUDED."partnerType" END`
    const { count } = await tx.subscription.updateMany({
      where: { email, OR: [{ mailedAt: null }, { mailedAt: { lte: secondsAfter(now, -hour) } }] },
      data: { mailedAt: now },
    })
    await enqueue(tx, now, 'newsletter', { email, is_due: count === 1 })
  })
}
