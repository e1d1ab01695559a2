import { transaction } from '@/lib/db/transaction'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { hour, secondsAfter } from '@/lib/kernel/clock'
import type { AnonymousContext } from '@/lib/kernel/context'
import type { DoneInput } from './schema'

/**
 * Stores a request to subscribe. The address is subscribed when its owner follows the mailed link. An address gets at most one mail
 * per hour. The statements are the same for every address, so neither answer nor timing reveals who is subscribed.
 */
export function subscribe(
  context: AnonymousContext,
  email: string,
  partnerType: string | undefined,
): Promise<DoneInput> {
  const { now } = context
  return transaction(async (tx) => {
    // A subscriber stays on the chosen list, because anybody can send this request.
    await tx.run`
      INSERT INTO "Subscription" AS s ("email", "partnerType", "status", "createdAt")
      VALUES (${email}, ${partnerType ?? null}::text, 'pending', ${now}::timestamptz)
      ON CONFLICT ("email") DO UPDATE SET
        "status" = CASE WHEN s."status" = 'subscribed' THEN s."status" ELSE 'pending' END,
        "partnerType" = CASE WHEN s."status" = 'subscribed' THEN s."partnerType" ELSE EXCLUDED."partnerType" END`
    const { count } = await tx.subscription.updateMany({
      where: { email, OR: [{ mailedAt: null }, { mailedAt: { lte: secondsAfter(now, -hour) } }] },
      data: { mailedAt: now },
    })
    enqueue(tx, now, 'newsletter', {
      email,
      is_due: count === 1,
      language: context.readBrowser?.()?.language ?? null,
    })
    return {
      success: true,
      message: 'We have sent a message to this address: follow its link to subscribe.',
    }
  })
}
