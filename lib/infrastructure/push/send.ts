/** A subscription as browsers give it (`PushSubscription.toJSON()`). */

import {
  createCipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { z } from 'zod'
import { pointOf, pushKey } from '@/lib/infrastructure/keys/push-key'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { randomBytes } from '@/lib/kernel/secrets/random'

const endpointMax = 1_000

/** Reads the uncompressed point of a public key on P-256. Throws when it is none. */
export function readPoint(bytes: Uint8Array): KeyObject {
  if (bytes.length !== 65 || bytes[0] !== 4) throw new Error('not an uncompressed point on P-256')
  const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: text(1, 33), y: text(33, 65) }
  return createPublicKey({ key: jwk, format: 'jwk' })
}

function isPoint(text: string): boolean {
  try {
    readPoint(Buffer.from(text, 'base64url'))
    return true
  } catch {
    return false
  }
}

/** Some browsers write base64url with padding, which readers ignore. */
const base64url = z.string().regex(/^[A-Za-z0-9_-]{1,100}={0,2}$/)

export const PushSubscription = z
  .object({
    endpoint: z
      .string()
      .max(endpointMax)
      .meta({ description: 'The address at the push service of the browser.' }),
    expirationTime: z.number().nullish(),
    keys: z.object({
      p256dh: base64url.refine(isPoint, { error: () => m.field_must_be_a_push_key() }),
      auth: base64url.refine((text) => Buffer.from(text, 'base64url').length === 16, {
        error: () => m.field_must_be_a_push_secret(),
      }),
    }),
  })
  .meta({ id: 'PushSubscription', description: 'What `PushSubscription.toJSON()` of the browser returns.' })

export type PushSubscription = z.output<typeof PushSubscription>

/**
 * Encrypts a message for one browser (RFC 8291, content coding aes128gcm of RFC 8188). The push service that delivers it cannot read it. The
 * test has the vectors of RFC 8291, appendix A.
 */

/** Push services take bodies of 4096 bytes: header, plaintext, one byte that ends it, and the tag. */
const recordSize = 4096
const headerSize = 16 + 4 + 1 + 65
export const plainBytesMax = recordSize - headerSize - 1 - 16

interface Sender {
  privateKey: KeyObject
  publicKey: KeyObject
  salt: Uint8Array
}

const newSender = (): Sender => ({
  ...generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  salt: randomBytes(16),
})

const derive = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array | string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** Returns the key and the nonce that both sides derive. `shared` is the result of ECDH. */
function contentKeys(
  shared: Uint8Array,
  auth: Uint8Array,
  receiver: Uint8Array,
  sender: Uint8Array,
  salt: Uint8Array,
): { key: Buffer; nonce: Buffer } {
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const secret = derive(shared, auth, info, 32)
  return {
    key: derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
    nonce: derive(secret, salt, 'Content-Encoding: nonce\0', 12),
  }
}

/** Returns the body of the request to the push service. Throws when the text has more than `plainBytesMax` bytes. */
export function encryptFor({ keys }: PushSubscription, text: string, sender = newSender()): Buffer {
  const plain = Buffer.from(text)
  if (plain.length > plainBytesMax) throw new Error(`a push message has ${plain.length} bytes`)
  const receiver = Buffer.from(keys.p256dh, 'base64url')
  const shared = diffieHellman({ privateKey: sender.privateKey, publicKey: readPoint(receiver) })
  const point = pointOf(sender.publicKey)
  const { key, nonce } = contentKeys(
    shared,
    Buffer.from(keys.auth, 'base64url'),
    receiver,
    point,
    sender.salt,
  )
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // 2 ends the last record. There is no padding.
  const body = [cipher.update(plain), cipher.update(Buffer.of(2)), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([sender.salt, size, Buffer.of(point.length), point, ...body])
}

/** Names this service to a push service (RFC 8292). */

/** Push services accept at most 24 hours. */
const validSeconds = 12 * 3600

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encode({ typ: 'JWT', alg: 'ES256' })

/** Returns the value of the header `Authorization` for messages to `endpoint`. The token is valid at its origin only. */
function vapidHeader(endpoint: string, now: Date): string {
  const { privateKey, publicKey } = pushKey()
  const exp = Math.floor(secondsAfter(now, validSeconds).getTime() / 1000)
  const claims = { aud: new URL(endpoint).origin, exp, sub: `mailto:${config().supportEmail}` }
  const signed = `${header}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
}

/** Sends a message to one browser through its push service (RFC 8030). */

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

/**
 * What a push message says, as JSON. The form of a notification is declarative (WebKit's "Declarative Web Push"): Safari shows it without a
 * worker, and /sw.js reads the same members in other browsers.
 */

export interface PushNotification {
  title: string
  body: string
  /** The path of the page that it opens, such as `/pecks/PECK-…`. */
  path: string
  /** A later notification with the same tag replaces it. A withdrawal names it. */
  tag: string
  /** How many requests wait: the number on the icon of the app. */
  waiting: number
}

/** Returns the payload of a notification. Shortens the body so that it fits into one message. */
export function notificationPayload({ title, body, path, tag, waiting }: PushNotification): string {
  const write = (text: string) =>
    JSON.stringify({
      web_push: 8030,
      notification: {
        title,
        body: text,
        navigate: `${config().baseUrl}${path}`,
        tag,
        app_badge: String(waiting),
      },
    })
  let text = body
  while (Buffer.byteLength(write(text)) > plainBytesMax && text !== '')
    text = [...text].slice(0, Math.floor([...text].length * 0.9)).join('')
  return write(text)
}

/** Returns the payload that takes a notification away, because the request was answered elsewhere or has ended. */
export function withdrawalPayload(tag: string, waiting: number): string {
  return JSON.stringify({ withdraw: tag, app_badge: String(waiting) })
}

/**
 * Tells whether a subscription may get withdrawals. Safari ends a subscription after a few messages that show nothing, so there the page
 * closes the notifications when it is opened next.
 */
export function takesWithdrawals({ endpoint }: PushSubscription): boolean {
  return !/(^|\.)push\.apple\.com$/.test(new URL(endpoint).hostname)
}
