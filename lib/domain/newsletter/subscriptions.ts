import { z } from 'zod'
import { transaction } from '@/lib/db/transaction'
import { enqueue, type OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { alreadySubscribedMessage, confirmMessage } from '@/lib/infrastructure/mail/newsletter'
import { unknownReader, writeFor } from '@/lib/infrastructure/mail/reader'
import type { Message } from '@/lib/infrastructure/mail/send'
import { writeUnsolicited } from '@/lib/infrastructure/mail/unsolicited'
import { m } from '@/lib/kernel/messages'
import type { AnonymousContext } from '@/lib/kernel/request/context'
import { hour, secondsAfter } from '@/lib/kernel/runtime/clock'
import { randomSecret, sha256 } from '@/lib/kernel/secrets/secrets'

/**
 * This text is mailed to an address that anybody may enter, so it must not contain anything that mail programs turn into a link.
 * One line of at most 64 characters.
 */
export const partnerType = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} _-]{0,63}$/u, { error: m.field_partner_list_format })

/** The body with the token of a link in a newsletter mail. */
export const SubscriptionLink = z.strictObject({
  token: z.string().min(1, { error: m.field_must_not_be_empty }).max(200),
})

export const Done = z.object({ success: z.literal(true), message: z.string() })
type DoneInput = z.input<typeof Done>

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

/** The token in the links of newsletter mails. Only its digest is stored. */

/** Returns a new token: `NWS-` and 160 random bits. */
function mintSubscriptionToken(): string {
  return `NWS-${randomSecret(20)}`
}

/** Returns the digest of a token, by which it is stored and looked up. */
function hashSubscriptionToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sha256(token))
}

/**
 * Confirms the subscription of the address that got the link. The link can be used again while the address is subscribed. After
 * unsubscribing a new request is needed. Throws `subscription_link_invalid`.
 */
export function confirmSubscription(
  context: AnonymousContext<'subscription_link_invalid'>,
  token: string,
): Promise<DoneInput> {
  const tokenHash = hashSubscriptionToken(token)
  return transaction(async (tx) => {
    const { count } = await tx.subscription.updateMany({
      where: { tokenHash, status: 'pending' },
      data: { status: 'subscribed', confirmedAt: context.now },
    })
    const confirmed =
      count === 1 ||
      (await tx.subscription.findFirst({ where: { tokenHash, status: 'subscribed' } })) !== null
    if (!confirmed) throw context.fail('subscription_link_invalid')
    return { success: true, message: 'You are subscribed.' }
  })
}

/** Ends the subscription of a link, confirmed or not. Can be repeated. Throws `subscription_link_invalid`. */
export function unsubscribe(
  context: AnonymousContext<'subscription_link_invalid'>,
  token: string,
): Promise<DoneInput> {
  return transaction(async (tx) => {
    const { count } = await tx.subscription.updateMany({
      where: { tokenHash: hashSubscriptionToken(token) },
      data: { status: 'unsubscribed' },
    })
    if (count === 0) throw context.fail('subscription_link_invalid')
    return { success: true, message: 'You are no longer subscribed.' }
  })
}

/**
 * Answers a request to subscribe by mail: with a link to confirm, or, when the address is subscribed already, with a note about that.
 * The token of the link is generated here and never stored. Each retry generates a new token. Called by the worker. When the daily
 * limit of unsolicited mails is reached, no mail is sent, and earlier links stay valid.
 */
export async function sendNewsletter(
  { email, is_due, language = null }: OutboxPayloads['newsletter'],
  now: Date,
): Promise<void> {
  if (is_due) await writeUnsolicited(email, 'stranger', now, () => writeNewsletter(email, language))
}

function writeNewsletter(email: string, language: string | null): Promise<Omit<Message, 'to'> | null> {
  const token = mintSubscriptionToken()
  return transaction(async (tx) => {
    const { count } = await tx.subscription.updateMany({
      where: { email, status: 'pending' },
      data: { tokenHash: hashSubscriptionToken(token) },
    })
    const subscription = await tx.subscription.findUnique({ where: { email } })
    const write = <Mail>(mail: () => Mail): Mail =>
      writeFor({ ...unknownReader, readerLanguage: language }, mail)
    if (count === 1) return write(() => confirmMessage(token, subscription?.partnerType ?? null))
    // The earlier links stay valid, so that another person cannot invalidate them with a request for this address.
    return subscription?.status === 'subscribed' ? write(alreadySubscribedMessage) : null
  })
}
