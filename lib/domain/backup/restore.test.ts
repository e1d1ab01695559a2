import { expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { readClock } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import { recordRestore } from './restore'

it('records a restore once for an account, and mails its owner what to do', async () => {
  const { id, email } = await aDuckling()
  const now = readClock()
  const facts = { made_at: new Date(0).toISOString(), at: now.toISOString() }
  const payload = { duckling_id: id, made_at: facts.made_at, restored_at: facts.at }
  await transaction(async (tx) => {
    enqueue(tx, now, 'restored', payload)
    enqueue(tx, now, 'notice', { duckling_id: id, notice: 'service_restored', facts })
  })
  await drainOutbox()
  await recordRestore(payload, now)
  const events = await db().auditEvent.findMany({
    where: { ducklingId: id, action: 'service.restored' },
    select: { actorType: true, metadata: true },
  })
  expect(events).toEqual([
    { actorType: 'system', metadata: { made_at: facts.made_at, restored_at: facts.at } },
  ])
  const mails = await sentTo(email)
  expect(mails.at(-1)).toMatchObject({ subject: 'The service was restored from a backup' })
  expect(mails.at(-1)?.text).toContain('agents and rules are paused')
})
