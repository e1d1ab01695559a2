import { beforeEach, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { type AWebhook, aBacklog, aReceiver, aWebhook, deleteWaitingWebhooks } from '@/lib/fixtures/webhooks'
import { claimSeconds } from '@/lib/infrastructure/worker/claim'
import { systemContext } from '@/lib/kernel/request/context'
import { Failure } from '@/lib/kernel/request/failures'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import { claimWebhooks } from './claim'
import { claimSlot, testWebhook } from './claim-slot'

const outboxOf = ({ owner }: AWebhook) => db().outbox.count({ where: { ducklingId: owner.id } })
const busy = expect.objectContaining({ failure: 'webhook_busy' })

beforeEach(deleteWaitingWebhooks)

it('allows 2 of 50 simultaneous tests of an endpoint and refuses the others', async () => {
  const releases: (() => void)[] = []
  const receiver = await aReceiver((response) => releases.push(() => response.end()))
  const webhook = await aWebhook(receiver.url)
  const context = await webhook.owner.context()
  const refusals: unknown[] = []
  const tests = Array.from({ length: 50 }, () =>
    testWebhook(context, webhook.id).catch((error: unknown) => void refusals.push(error)),
  )
  await expect.poll(() => refusals.length, { timeout: 10_000 }).toBe(48)
  await expect.poll(() => receiver.requests.length).toBe(2)
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(Failure)
    expect(refusal).toMatchObject({ failure: 'webhook_busy', extras: { retry_after: 15 } })
  }
  for (const release of releases) release()
  const sent = (await Promise.all(tests)).filter((result) => result !== undefined)
  expect(sent).toMatchObject([{ sent: { statusCode: 200 } }, { sent: { statusCode: 200 } }])
  expect([receiver.requests.length, await outboxOf(webhook)]).toEqual([2, 0])
  // The slots are free again.
  receiver.answer = (response) => response.end()
  expect((await testWebhook(context, webhook.id)).sent.error).toBeNull()
})

it('limits an account to 6 slots for all its endpoints, deliveries included', async () => {
  const { owner, ...first } = await aWebhook('http://127.0.0.1:9/')
  const others = [
    await aWebhook('http://127.0.0.1:9/', { owner }),
    await aWebhook('http://127.0.0.1:9/', { owner }),
  ]
  const now = readClock()
  await aBacklog({ owner, ...first }, 5, now)
  await aBacklog(others[0] as AWebhook, 5, now)
  await claimWebhooks(400, 400, now)
  const take = (id: string) => claimSlot(systemContext(now), { id, ducklingId: owner.id }, 'DLV-0')
  await expect(take(first.id)).rejects.toEqual(busy)
  const last = others[1]?.id ?? ''
  await take(last)
  await take(last)
  const fourth = await aWebhook('http://127.0.0.1:9/', { owner })
  await expect(take(fourth.id)).rejects.toEqual(busy)
  await db().outbox.deleteMany({ where: { ducklingId: owner.id } })
})

it('delays a delivery while tests occupy the slots, and allows it as soon as one ends', async () => {
  const releases: (() => void)[] = []
  const receiver = await aReceiver((response) => releases.push(() => response.end()))
  const webhook = await aWebhook(receiver.url)
  const context = await webhook.owner.context()
  const tests = [testWebhook(context, webhook.id), testWebhook(context, webhook.id)]
  await expect.poll(() => receiver.requests.length).toBe(2)
  await aBacklog(webhook, 1, context.now)
  expect(await claimWebhooks(400, 400, readClock())).toEqual([])
  releases[0]?.()
  await Promise.race(tests)
  await expect.poll(() => outboxOf(webhook)).toBe(2)
  expect(await claimWebhooks(400, 400, readClock())).toHaveLength(1)
  releases[1]?.()
  await Promise.all(tests)
  await db().outbox.deleteMany({ where: { ducklingId: webhook.owner.id } })
})

it('frees the slot of a test whose process died when the lease ends', async () => {
  const receiver = await aReceiver()
  const webhook = await aWebhook(receiver.url)
  const endpoint = { id: webhook.id, ducklingId: webhook.owner.id }
  const longAgo = secondsAfter(readClock(), -claimSeconds)
  const almost = secondsAfter(longAgo, claimSeconds - 1)
  for (const id of ['DLV-1', 'DLV-2']) await claimSlot(systemContext(longAgo), endpoint, id)
  await expect(claimSlot(systemContext(almost), endpoint, 'DLV-3')).rejects.toEqual(busy)
  await claimSlot(systemContext(readClock()), endpoint, 'DLV-3')
  expect(await outboxOf(webhook)).toBe(3)
  // The worker deletes the rows of the first two and sends nothing.
  await drainOutbox()
  expect([await outboxOf(webhook), receiver.requests.length]).toEqual([1, 0])
  await db().outbox.deleteMany({ where: { ducklingId: webhook.owner.id } })
})
