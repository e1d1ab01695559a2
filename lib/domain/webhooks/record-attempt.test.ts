import { describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type AWebhook, anElevation, aReceiver, aWebhook } from '@/lib/fixtures/webhooks'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { claimWebhooks } from './claim'
import { testWebhook } from './claim-slot'
import { deliverWebhook } from './deliver'
import { listDeliveries } from './deliveries'
import { updateWebhook } from './update'

const read = ({ id }: AWebhook) => db().webhookEndpoint.findUniqueOrThrow({ where: { id } })
const happenTo = async ({ owner }: AWebhook) => {
  const context = await owner.context()
  await transaction(async (tx) => anElevation(tx, context))
}
const newestDelivery = ({ id }: AWebhook) =>
  db().webhookDelivery.findFirstOrThrow({ where: { endpointId: id }, orderBy: { id: 'desc' } })

/** Creates an endpoint whose receiver never answers, with one delivery. */
async function aHangingEndpoint() {
  const receiver = await aReceiver(() => undefined)
  const webhook = await aWebhook(receiver.url)
  await happenTo(webhook)
  const { id } = await newestDelivery(webhook)
  /** Attempts the delivery at that time, with a timeout of 50 ms. */
  const attempt = (at: Date) =>
    deliverWebhook({ delivery_id: id }, at, 1, 50).catch((error: unknown) => String(error))
  return { receiver, webhook, attempt }
}

const claimsFor = async ({ owner }: AWebhook, now: Date) => {
  const ids = (await claimWebhooks(400, 400, now)).map(({ id }) => id)
  return db().outbox.count({ where: { id: { in: ids }, ducklingId: owner.id } })
}

/** Returns the seconds from `start` to the end of the pause. */
const pauseOf = async (webhook: AWebhook, start: Date) =>
  Math.round((Number((await read(webhook)).pausedUntil) - Number(start)) / 1000)

describe('a timeout', () => {
  // security: receiver-2
  it('pauses the endpoint for 30 seconds, and each further timeout doubles the pause up to an hour', async () => {
    const { webhook, attempt } = await aHangingEndpoint()
    let at = readClock()
    const pauses: number[] = []
    for (let count = 1; count <= 9; count++) {
      expect(await attempt(at)).toContain('timeout')
      expect((await read(webhook)).timeouts).toBe(count)
      pauses.push(await pauseOf(webhook, at))
      at = secondsAfter(at, 2 * hour)
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
  })

  it('counts once when several attempts time out at the same time', async () => {
    const { webhook, attempt } = await aHangingEndpoint()
    const at = readClock()
    await Promise.all([attempt(at), attempt(at)])
    await attempt(secondsAfter(at, 10))
    expect((await read(webhook)).timeouts).toBe(1)
    expect(await pauseOf(webhook, at)).toBe(30)
  })

  it('is also counted when the status line arrives but the body does not end', async () => {
    const { receiver, webhook, attempt } = await aHangingEndpoint()
    receiver.answer = (response) => response.writeHead(200).write('slow')
    expect(await attempt(readClock())).toContain('timeout')
    expect((await read(webhook)).timeouts).toBe(1)
  })

  it('delays deliveries until the pause ends, then allows one at a time', async () => {
    const { webhook, attempt } = await aHangingEndpoint()
    for (let count = 0; count < 3; count++) await happenTo(webhook)
    const at = readClock()
    await attempt(at)
    expect(await claimsFor(webhook, secondsAfter(at, 29))).toBe(0)
    expect(await claimsFor(webhook, secondsAfter(at, 32))).toBe(1)
    expect(await claimsFor(webhook, secondsAfter(at, 33))).toBe(0)
    await db().outbox.deleteMany({ where: { ducklingId: webhook.owner.id } })
  })

  it('moves next_attempt_at to the end of the pause', async () => {
    const { webhook, attempt } = await aHangingEndpoint()
    await attempt(readClock())
    await happenTo(webhook)
    const { pausedUntil } = await read(webhook)
    const context = await webhook.owner.context()
    const { items } = await listDeliveries(context, {}, { after: null, limit: 10 })
    expect(items.map(({ next_attempt_at }) => next_attempt_at)).toEqual([pausedUntil, pausedUntil])
    await db().outbox.deleteMany({ where: { ducklingId: webhook.owner.id } })
  })
})

describe('a pause ends early, and waiting deliveries are due', () => {
  /** Creates an endpoint that is paused for an hour, with one delivery that a claim has postponed until then. */
  async function aPausedEndpoint() {
    const { receiver, webhook, attempt } = await aHangingEndpoint()
    await db().webhookEndpoint.update({ where: { id: webhook.id }, data: { timeouts: 10 } })
    const now = readClock()
    await attempt(now)
    expect(await pauseOf(webhook, now)).toBe(3600)
    expect(await claimsFor(webhook, readClock())).toBe(0)
    return { receiver, webhook }
  }

  const expectOpen = async (webhook: AWebhook) => {
    expect(await read(webhook)).toMatchObject({ timeouts: 0, pausedUntil: null })
    expect(await claimsFor(webhook, readClock())).toBe(1)
    await db().outbox.deleteMany({ where: { ducklingId: webhook.owner.id } })
  }

  it.each([200, 500])('when the receiver answers %i', async (status) => {
    const { receiver, webhook } = await aPausedEndpoint()
    receiver.answer = (response) => response.writeHead(status).end()
    await testWebhook(await webhook.owner.context(), webhook.id)
    await expectOpen(webhook)
  })

  it('when the URL changes', async () => {
    const { receiver, webhook } = await aPausedEndpoint()
    await updateWebhook(await webhook.owner.context(), webhook.id, { url: `${receiver.url}/new` })
    await expectOpen(webhook)
  })

  it('when the endpoint is disabled and enabled again', async () => {
    const { webhook } = await aPausedEndpoint()
    const context = await webhook.owner.context()
    await updateWebhook(context, webhook.id, { enabled: false })
    await updateWebhook(context, webhook.id, { enabled: true })
    await happenTo(webhook)
    await expectOpen(webhook)
  })
})
