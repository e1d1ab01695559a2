/** Sends a message to one browser through its push service (RFC 8030). */
import { encryptFor } from './encrypt'
import type { PushSubscription } from './subscription'
import { vapidHeader } from './vapid'

export interface PushOptions {
  /** Seconds for which the push service keeps the message while the device is offline. */
  ttl: number
  urgency: 'very-low' | 'low' | 'normal' | 'high'
  /** A later message with the same topic replaces this one while the device is offline. At most 32 characters of base64url. */
  topic?: string
}

/** The request to the push service. Endpoints come from callers, so it must refuse private addresses. */
type Post<R> = (url: string, headers: Record<string, string>, body: Buffer) => Promise<R>

/** Encrypts and sends a payload. Returns what `post` returns, and whether the subscription has ended: then it is never valid again. */
export async function sendPush<R extends { statusCode: number | null }>(
  subscription: PushSubscription,
  payload: string,
  { ttl, urgency, topic }: PushOptions,
  { now, post }: { now: Date; post: Post<R> },
): Promise<R & { hasEnded: boolean }> {
  const body = encryptFor(subscription, payload)
  const headers = {
    Authorization: vapidHeader(subscription.endpoint, now),
    'Content-Encoding': 'aes128gcm',
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(body.length),
    TTL: String(ttl),
    Urgency: urgency,
    ...(topic === undefined ? {} : { Topic: topic }),
  }
  const sent = await post(subscription.endpoint, headers, body)
  return { ...sent, hasEnded: sent.statusCode === 404 || sent.statusCode === 410 }
}
