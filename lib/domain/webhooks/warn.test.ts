import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anotherSession } from '@/lib/fixtures/accounts'
import { type AReceiver, type AWebhook, aReceiver, aWebhook, type Received } from '@/lib/fixtures/webhooks'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox, drainPool } from '@/lib/worker/start'
import { warningRetrySeconds } from './warn'

/** An endpoint of an owner, and the token of a thief's session that is recent enough for a proof. */
async function anEndpoint(): Promise<{ receiver: AReceiver; webhook: AWebhook; token: string }> {
  const receiver = await aReceiver()
  const webhook = await aWebhook(receiver.url)
  const token = await anotherSession(webhook.owner)
  return { receiver, webhook, token }
}

const setSignInAge = ({ owner }: AWebhook, seconds: number) =>
  db().session.updateMany({
    where: { ducklingId: owner.id },
    data: { authTime: secondsAfter(readClock(), -seconds) },
  })

const read = (webhook: AWebhook, { headers, body }: Received) =>
  new Webhook(webhook.secret).verify(body, headers)

describe('the warning of a receiver', () => {
  // security: session-10
  it('arrives at a deleted endpoint, signed with its secret', async () => {
    const { receiver, webhook, token } = await anEndpoint()
    await call('POST /beak/webhook/delete', { token, body: { webhook_id: webhook.id } })
    await drainOutbox()
    expect(receiver.requests).toHaveLength(1)
    expect(read(webhook, receiver.requests[0] as Received)).toMatchObject({
      type: 'webhook.changed',
      data: { webhook_id: webhook.id, change: 'deleted' },
    })
  })

  // security: session-10
  it('arrives at the old URL of a changed endpoint', async () => {
    const { receiver, webhook, token } = await anEndpoint()
    const other = await aReceiver()
    await call('POST /beak/webhook/update', { token, body: { webhook_id: webhook.id, url: other.url } })
    await drainOutbox()
    expect(read(webhook, receiver.requests[0] as Received)).toMatchObject({ data: { change: 'changed' } })
    expect(other.requests).toEqual([])
  })

  it('is signed with the secret from before a rotation', async () => {
    const { receiver, webhook, token } = await anEndpoint()
    await call('POST /beak/webhook/rotate-secret', { token, body: { webhook_id: webhook.id } })
    await drainOutbox()
    expect(read(webhook, receiver.requests[0] as Received)).toMatchObject({
      data: { change: 'secret_changed' },
    })
  })

  it('comes once a minute for the changes of one session', async () => {
    const { receiver, webhook, token } = await anEndpoint()
    const change = (description: string) =>
      call('POST /beak/webhook/update', { token, body: { webhook_id: webhook.id, description } })
    for (const description of ['a', 'b', 'c']) await change(description)
    await drainOutbox()
    expect(receiver.requests).toHaveLength(1)
    const changedAt = secondsAfter(readClock(), -minute - 1)
    await db().webhookEndpoint.update({ where: { id: webhook.id }, data: { changedAt } })
    await change('d')
    await drainOutbox()
    expect(receiver.requests).toHaveLength(2)
  })

  it('waits for no receiver of another account', async () => {
    const [slow, other] = [await anEndpoint(), await anEndpoint()]
    const more = await aWebhook(slow.receiver.url, { owner: slow.webhook.owner })
    const end = slow.token
    let release = () => {}
    slow.receiver.answer = (response) => {
      release = () => response.end()
    }
    for (const { id } of [slow.webhook, more])
      await call('POST /beak/webhook/delete', { token: end, body: { webhook_id: id } })
    await call('POST /beak/webhook/delete', { token: other.token, body: { webhook_id: other.webhook.id } })
    const arrived = Promise.all([slow.receiver.next(), other.receiver.next()])
    const drained = drainPool('webhook warnings')
    await arrived
    // The second warning of the account waits for the first one.
    expect(slow.receiver.requests).toHaveLength(1)
    slow.receiver.answer = (response) => response.end()
    release()
    await drained
    expect(slow.receiver.requests).toHaveLength(2)
  })

  it('is signed when it is sent, and its row is deleted after the last attempt', async () => {
    const { receiver, webhook, token } = await anEndpoint()
    receiver.answer = (response) => response.writeHead(500).end()
    await call('POST /beak/webhook/delete', { token, body: { webhook_id: webhook.id } })
    const where = { kind: 'webhook_warning', payload: { path: ['webhook_id'], equals: webhook.id } }
    for (const seconds of [0, ...warningRetrySeconds]) {
      await db().outbox.updateMany({ where, data: { dueAt: secondsAfter(readClock(), -seconds) } })
      await drainPool('webhook warnings')
    }
    expect(receiver.requests).toHaveLength(1 + warningRetrySeconds.length)
    for (const request of receiver.requests)
      expect(read(webhook, request)).toMatchObject({ type: 'webhook.changed' })
    expect(await db().outbox.count({ where })).toBe(0)
  })

  it('is not sent to an endpoint that is switched off, or when the change was refused', async () => {
    const { receiver, webhook, token } = await anEndpoint()
    await setSignInAge(webhook, 60 * minute)
    const refused = await call('POST /beak/webhook/delete', { token, body: { webhook_id: webhook.id } })
    expect(refused.status).toBe(403)
    await setSignInAge(webhook, 0)
    await db().webhookEndpoint.update({ where: { id: webhook.id }, data: { enabled: false } })
    await call('POST /beak/webhook/delete', { token, body: { webhook_id: webhook.id } })
    await drainOutbox()
    expect(receiver.requests).toEqual([])
  })

  it('arrives when the account is closed', async () => {
    const { receiver, webhook, token } = await anEndpoint()
    await call('POST /beak/account/delete', { token })
    await drainOutbox()
    expect(read(webhook, receiver.requests[0] as Received)).toMatchObject({ data: { change: 'deleted' } })
  })
})
