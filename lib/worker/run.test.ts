import { expect, it, onTestFinished } from 'vitest'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/events/record'
import { aReceiver } from '@/lib/fixtures/receiver'
import { type AWebhook, aWebhook } from '@/lib/fixtures/webhooks'
import { forget } from '@/lib/kernel/global'
import { startWorker } from './run'

it('a receiver that hangs holds up no other', async () => {
  const held: (() => void)[] = []
  const hanging = await aReceiver((response) => held.push(() => response.end()))
  const quick = await aReceiver()
  const [first, second] = [await aWebhook(hanging.url), await aWebhook(quick.url)]
  const happenTo = async ({ owner }: AWebhook) => {
    const context = await owner.context()
    await transaction((tx) => record(tx, context, 'trust.elevated'))
  }
  const worker = await startWorker()
  onTestFinished(async () => {
    for (const release of held) release()
    await worker.stop()
    forget('worker')
  })
  const [atHanging, atQuick] = [hanging.next(), quick.next()]
  await happenTo(first)
  await atHanging
  // The first delivery is under way, and stays so: its receiver answers only when the test has finished.
  await happenTo(second)
  await atQuick
  expect(await db().webhookAttempt.count({ where: { delivery: { endpointId: first.id } } })).toBe(0)
})
