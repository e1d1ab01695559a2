import { expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { aReceiver, aWebhook } from '@/lib/fixtures/webhooks'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { testWebhook } from './claim-slot'
import { deleteOldMessages } from './delete'

it('deletes messages after 30 days, with their deliveries and attempts', async () => {
  const receiver = await aReceiver()
  const { owner, id } = await aWebhook(receiver.url)
  const [old, young] = [
    await testWebhook(await owner.context(), id),
    await testWebhook(await owner.context(), id),
  ]
  const now = readClock()
  for (const [{ messageId }, days] of [[old, 30.01] as const, [young, 29.99] as const])
    await db().webhookMessage.update({
      where: { id: messageId },
      data: { createdAt: secondsAfter(now, -days * day) },
    })
  const { id: deliveryId } = await db().webhookDelivery.findFirstOrThrow({
    where: { messageId: old.messageId },
  })
  await deleteOldMessages(now)
  const left = await db().webhookDelivery.findMany({ where: { endpointId: id } })
  expect(left.map(({ messageId }) => messageId)).toEqual([young.messageId])
  expect(await db().webhookAttempt.count({ where: { deliveryId } })).toBe(0)
})
