import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { deleteOldMessages } from '@/lib/domain/webhooks/delete-messages'
import { aReceiver, type Received } from '@/lib/fixtures/receiver'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { readClock } from '@/lib/kernel/clock'

const rotate = (token: string, webhook_id: string) =>
  call('POST /beak/webhook/rotate-secret', { token, body: { webhook_id } })

describe('200', () => {
  it('signs with the new secret and, for 24 hours, also with the old one', async () => {
    const receiver = await aReceiver()
    const { owner, id, secret: old } = await aWebhook(receiver.url)
    const { status, body } = await rotate(owner.token, id)
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^whsec_/)
    expect(body.secret).not.toBe(old)
    const hours = (Date.parse(body.secret_rotating_until) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)

    const test = () => call('POST /beak/webhook/test', { token: owner.token, body: { webhook_id: id } })
    const verify = (secret: string, { body: text, headers }: Received) =>
      new Webhook(secret).verify(text, headers)
    await test()
    const [during] = receiver.requests as [Received]
    expect(during.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    expect(() => verify(old, during)).not.toThrow()
    expect(() => verify(body.secret, during)).not.toThrow()

    await db().webhookEndpoint.update({ where: { id }, data: { previousSecretUntil: readClock() } })
    await test()
    const after = receiver.requests[1] as Received
    expect(after.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    expect(() => verify(body.secret, after)).not.toThrow()
    expect(() => verify(old, after)).toThrow()

    await deleteOldMessages(readClock())
    expect(await db().webhookEndpoint.findUniqueOrThrow({ where: { id } })).toMatchObject({
      previousSecret: null,
      previousSecretUntil: null,
    })
  })

  it('keeps both new secrets when two rotations run at the same time', async () => {
    const receiver = await aReceiver()
    const { owner, id } = await aWebhook(receiver.url)
    const answers = await Promise.all([rotate(owner.token, id), rotate(owner.token, id)])
    await call('POST /beak/webhook/test', { token: owner.token, body: { webhook_id: id } })
    const [{ body, headers }] = receiver.requests as [Received]
    for (const answer of answers)
      expect(() => new Webhook(answer.body.secret).verify(body, headers)).not.toThrow()
  })
})
