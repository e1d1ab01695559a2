import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db, Prisma } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { type AWebhook, aBacklog, anElevation, aReceiver, aWebhook } from '@/lib/fixtures/webhooks'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'
import { startWorker } from './start'

// Rows that other tests have left behind would take their turns, and their dead rows make each poll slow: nothing vacuums in tests.
beforeEach(async () => {
  await db().outbox.deleteMany()
  for (const table of ['Outbox', 'WebhookQueue', 'WebhookDelivery'])
    await db().run`VACUUM (ANALYZE) ${Prisma.raw(`"${table}"`)}`
})

/** A receiver that does not answer until `release` is called. */
async function aHangingReceiver() {
  const releases: (() => void)[] = []
  const receiver = await aReceiver((response) => releases.push(() => response.end()))
  const release = () => {
    receiver.answer = (response) => response.end()
    for (const end of releases) end()
  }
  return { receiver, release }
}

async function runWorker(release: () => void): Promise<void> {
  const worker = await startWorker()
  onTestFinished(async () => {
    release()
    await worker.stop()
    forget('worker')
  })
}

const recordEvent = async ({ owner }: AWebhook) => {
  const context = await owner.context()
  await transaction(async (tx) => anElevation(tx, context))
}

it('delivers to other receivers while one hangs', async () => {
  const { receiver: hanging, release } = await aHangingReceiver()
  const fast = await aReceiver()
  const [first, second] = [await aWebhook(hanging.url), await aWebhook(fast.url)]
  await runWorker(release)
  const [atHanging, atQuick] = [hanging.next(), fast.next()]
  await recordEvent(first)
  await atHanging
  // The first delivery is still running: its receiver answers after the test.
  await recordEvent(second)
  await atQuick
  expect(await db().webhookAttempt.count({ where: { delivery: { endpointId: first.id } } })).toBe(0)
})

// security: receiver-2
it('delivers to other accounts while 20 endpoints of one account hang with long queues', async () => {
  const { receiver: hanging, release } = await aHangingReceiver()
  const fast = await aReceiver()
  const owner = await aDuckling({ tier: 'T0' })
  const anHourAgo = secondsAfter(readClock(), -3600)
  for (let index = 0; index < 20; index++)
    await aBacklog(await aWebhook(`${hanging.url}/${index}`, { owner }), 200, anHourAgo)
  const honest = await aWebhook(fast.url)
  onTestFinished(async () => void (await db().outbox.deleteMany({ where: { ducklingId: owner.id } })))
  await runWorker(release)
  await expect.poll(() => hanging.requests.length, { timeout: 10_000 }).toBe(6)
  const atQuick = fast.next()
  await recordEvent(honest)
  await atQuick
  const attempts = await db().webhookAttempt.count({
    where: { delivery: { endpoint: { ducklingId: owner.id } } },
  })
  expect([attempts, hanging.requests.length]).toEqual([0, 6])
  expect(new Set(hanging.requests.map(({ path }) => path)).size).toBe(6)
})

// security: receiver-2
it('delivers to a new account while 40 new accounts with long queues hang', { timeout: 60_000 }, async () => {
  const { receiver: hanging, release } = await aHangingReceiver()
  const fast = await aReceiver()
  const anHourAgo = secondsAfter(readClock(), -3600)
  const owners: string[] = []
  for (let index = 0; index < 40; index++) {
    const webhook = await aWebhook(`${hanging.url}/${index}`, { isYoung: true })
    owners.push(webhook.owner.id)
    await aBacklog(webhook, 20, anHourAgo)
  }
  const honest = await aWebhook(fast.url, { isYoung: true })
  onTestFinished(async () => void (await db().outbox.deleteMany({ where: { ducklingId: { in: owners } } })))
  await runWorker(release)
  // Each has one place, before any of them has answered or timed out.
  await expect.poll(() => hanging.requests.length, { timeout: 10_000 }).toBe(40)
  const atFast = fast.next()
  await recordEvent(honest)
  await atFast
  expect([
    hanging.requests.length,
    await db().webhookAttempt.count({ where: { delivery: { endpoint: { ducklingId: { in: owners } } } } }),
  ]).toEqual([40, 0])
})

it('sends 50 simultaneous codes of its own process, each once', async () => {
  await runWorker(() => undefined)
  const emails = Array.from({ length: 50 }, randomEmail)
  const signUps = emails.map((email) =>
    call('POST /beak/signup', { body: { email, display_name: 'Mallard' } }),
  )
  expect((await Promise.all(signUps)).map(({ status }) => status)).toEqual(emails.map(() => 200))
  await expect.poll(() => db().outbox.count({ where: { kind: 'code' } }), { timeout: 15_000 }).toBe(0)
  for (const email of emails) expect((await sentTo(email)).map(({ kind }) => kind)).toEqual(['signup_code'])
})
