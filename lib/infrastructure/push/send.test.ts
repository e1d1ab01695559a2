import { createPrivateKey, createPublicKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aBrowser, readVapid } from '@/lib/fixtures/browser-push'
import { preparePushKey, pushKey } from '@/lib/infrastructure/keys/push-key'
import { config } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'
import {
  encryptFor,
  notificationPayload,
  PushSubscription,
  plainBytesMax,
  readPoint,
  sendPush,
  takesWithdrawals,
  withdrawalPayload,
} from './send'

const endpoint = 'https://push.example:8443/send/abc?d=1'
const bytes = (text: string) => Buffer.from(text, 'base64url')
const options = { ttl: 60, urgency: 'high' } as const

/** RFC 8291, appendix A. */
const vector = {
  plain: 'When I grow up, I want to be a watermelon',
  senderPublic: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  senderPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  receiverPublic: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  receiverPrivate: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

describe('encryption', () => {
  it('makes the body of RFC 8291, appendix A, which the browser of that appendix decrypts', () => {
    const point = readPoint(bytes(vector.senderPublic)).export({ format: 'jwk' })
    const privateKey = createPrivateKey({ key: { ...point, d: vector.senderPrivate }, format: 'jwk' })
    const sender = { privateKey, publicKey: createPublicKey(privateKey), salt: bytes(vector.salt) }
    const browser = aBrowser(endpoint, {
      privateKey: bytes(vector.receiverPrivate),
      auth: bytes(vector.auth),
    })
    expect(browser.subscription.keys).toEqual({ p256dh: vector.receiverPublic, auth: vector.auth })
    const body = encryptFor(browser.subscription, vector.plain, sender)
    expect(body.toString('base64url')).toBe(vector.body)
    expect(browser.decrypt(body)).toBe(vector.plain)
  })

  // security: session-21
  it('makes another body each time, which only its browser decrypts', () => {
    const [browser, other] = [aBrowser(endpoint), aBrowser(endpoint)]
    const [first, second] = [encryptFor(browser.subscription, 'ä🦆'), encryptFor(browser.subscription, 'ä🦆')]
    expect(first.equals(second)).toBe(false)
    expect([browser.decrypt(first), browser.decrypt(second)]).toEqual(['ä🦆', 'ä🦆'])
    expect(() => other.decrypt(first)).toThrow()
  })

  it('fits the largest message into 4096 bytes, and refuses a larger one', () => {
    const browser = aBrowser(endpoint)
    const largest = 'a'.repeat(plainBytesMax)
    const body = encryptFor(browser.subscription, largest)
    expect(body).toHaveLength(4096)
    expect(browser.decrypt(body)).toBe(largest)
    expect(() => encryptFor(browser.subscription, `${largest}a`)).toThrow('3994 bytes')
  })
})

describe('the key of the service', () => {
  it('is public, and the same after a restart of the process', async () => {
    const { status, body } = await call('GET /beak/channel/push-key')
    expect(status).toBe(200)
    expect(body).toEqual({ public_key: pushKey().publicKey })
    expect(bytes(body.public_key)).toHaveLength(65)
    forget('push-key')
    await preparePushKey()
    expect(pushKey().publicKey).toBe(body.public_key)
  })

  it('is made once when 50 instances start at the same time', async () => {
    const earlier = await db().pushKey.findMany()
    await db().pushKey.deleteMany()
    forget('push-key')
    await Promise.all(Array.from({ length: 50 }, preparePushKey))
    const made = pushKey().publicKey
    forget('push-key')
    await preparePushKey()
    expect(pushKey().publicKey).toBe(made)
    expect(await db().pushKey.count()).toBe(1)
    await db().pushKey.deleteMany()
    await db().pushKey.createMany({ data: earlier })
    forget('push-key')
    await preparePushKey()
  })
})

describe('sending', () => {
  const send = async (statusCode: number | null) => {
    const browser = aBrowser(endpoint)
    const sent: { url: string; headers: Record<string, string>; body: Buffer }[] = []
    const post = async (url: string, headers: Record<string, string>, body: Buffer) => {
      sent.push({ url, headers, body })
      return { statusCode }
    }
    const now = readClock()
    const result = await sendPush(browser.subscription, 'Quack', { ...options, topic: 'a' }, { now, post })
    const [request] = sent
    if (request === undefined) throw new Error('nothing was sent')
    return { browser, now, request, result }
  }

  it('posts the encrypted message with a token that is valid at the origin of the endpoint for 12 hours', async () => {
    const { browser, now, request, result } = await send(201)
    expect(result).toEqual({ statusCode: 201, hasEnded: false })
    expect(request.url).toBe(endpoint)
    expect(request.headers).toMatchObject({
      'Content-Encoding': 'aes128gcm',
      TTL: '60',
      Urgency: 'high',
      Topic: 'a',
    })
    expect(browser.decrypt(request.body)).toBe('Quack')
    const { claims, publicKey } = readVapid(String(request.headers.Authorization))
    expect(publicKey).toBe(pushKey().publicKey)
    expect(claims).toEqual({
      aud: 'https://push.example:8443',
      exp: Math.floor(now.getTime() / 1000) + 12 * 3600,
      sub: `mailto:${config().supportEmail}`,
    })
  })

  it.each([
    [404, true],
    [410, true],
    [429, false],
    [503, false],
    [null, false],
  ])('tells whether the subscription has ended after the answer %s: %s', async (statusCode, hasEnded) => {
    expect((await send(statusCode)).result).toEqual({ statusCode, hasEnded })
  })
})

describe('subscriptions', () => {
  const { subscription } = aBrowser(endpoint)
  const { p256dh, auth } = subscription.keys
  const check = (keys: object) => PushSubscription.safeParse({ ...subscription, keys }).success

  it('accepts what a browser gives, also with padding', () => {
    expect(check({ p256dh, auth })).toBe(true)
    expect(check({ p256dh: `${p256dh}=`, auth: `${auth}==` })).toBe(true)
    expect(PushSubscription.safeParse({ endpoint, keys: { p256dh, auth } }).success).toBe(true)
  })

  it('refuses a key that is no point on the curve, and a secret of another length', () => {
    const moved = bytes(p256dh)
    moved[64] = Number(moved[64]) ^ 1
    expect(check({ p256dh: moved.toString('base64url'), auth })).toBe(false)
    expect(check({ p256dh: p256dh.slice(0, -4), auth })).toBe(false)
    expect(check({ p256dh: '', auth })).toBe(false)
    expect(check({ p256dh, auth: auth.slice(0, -2) })).toBe(false)
  })
})

describe('payloads', () => {
  const notification = {
    title: 'Scout asks',
    body: 'Scout wants to buy',
    path: '/pecks/PECK-1',
    tag: 'PECK-1',
    waiting: 3,
  }

  it('has the declarative form, with the address of the page', () => {
    expect(JSON.parse(notificationPayload(notification))).toEqual({
      web_push: 8030,
      notification: {
        title: 'Scout asks',
        body: 'Scout wants to buy',
        navigate: `${config().baseUrl}/pecks/PECK-1`,
        tag: 'PECK-1',
        app_badge: '3',
      },
    })
    expect(JSON.parse(withdrawalPayload('PECK-1', 2))).toEqual({ withdraw: 'PECK-1', app_badge: '2' })
  })

  it('shortens a long body between two characters, so that the message fits', () => {
    const payload = notificationPayload({ ...notification, body: '🦆"'.repeat(4_000) })
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(plainBytesMax)
    expect(JSON.parse(payload).notification.body).toMatch(/^(🦆")+🦆?$/u)
  })

  it('sends withdrawals to every push service except Apple’s', () => {
    const at = (url: string) => takesWithdrawals(aBrowser(url).subscription)
    expect(at('https://fcm.googleapis.com/fcm/send/a')).toBe(true)
    expect(at('https://web.push.apple.com.example/a')).toBe(true)
    expect(at('https://web.push.apple.com/a')).toBe(false)
  })
})
