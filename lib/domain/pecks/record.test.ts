import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { expirePecks } from './record'

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling()
})

async function anOverduePeck(options: Parameters<typeof aPeck>[2] = {}) {
  const peck = await aPeck(asker, target, options)
  const expiresAt = secondsAfter(new Date(), -1)
  await db().peck.update({ where: { id: peck.peck_id }, data: { expiresAt } })
  return peck.peck_id
}

const expiries = (ducklingId: string) =>
  db().auditEvent.findMany({ where: { ducklingId, action: 'peck.expired' } })

describe('expirePecks', () => {
  it('expires an unanswered peck once and records it for both sides', async () => {
    await aWebhook('https://example.com/a', { owner: target, kinds: ['peck.expired'] })
    const id = await anOverduePeck()
    await Promise.all([expirePecks(new Date()), expirePecks(new Date())])
    expect(await db().peck.findUnique({ where: { id } })).toMatchObject({
      status: 'expired',
      pendingKey: null,
      decidedAt: null,
    })
    for (const side of [asker, target]) {
      const events = await expiries(side.id)
      expect(events).toHaveLength(1)
      expect(events[0]).toMatchObject({ actorType: 'system', outcome: 'success', ip: null })
    }
    const [message] = await db().webhookMessage.findMany({ where: { ducklingId: target.id } })
    expect(message?.data).toMatchObject({ peck_id: id, status: 'expired' })
  })

  it('does not change a peck that is still pending or was decided', async () => {
    const { peck_id } = await aPeck(asker, target)
    const decided = await aPeck(asker, target, { action: 'read:cert' })
    await call('POST /beak/peck/reject', {
      token: target.token,
      body: { peck_id: decided.peck_id, reason: 'No' },
    })
    await db().peck.update({ where: { id: decided.peck_id }, data: { expiresAt: new Date(0) } })
    await expirePecks(new Date())
    expect((await db().peck.findUnique({ where: { id: peck_id } }))?.status).toBe('pending')
    expect((await db().peck.findUnique({ where: { id: decided.peck_id } }))?.status).toBe('rejected')
  })

  it('never both expires a peck and lets a decision on it succeed', async () => {
    const agents = [await anAgent(asker), await anAgent(await aDuckling())]
    const pecks = await Promise.all(
      agents.flatMap((agent) =>
        Array.from({ length: 10 }, (_, index) => aPeck(agent, target, { action: `read:n${index}` })),
      ),
    )
    const at = secondsAfter(new Date(), 3600)
    await db().peck.updateMany({
      where: { id: { in: pecks.map(({ peck_id }) => peck_id) } },
      data: { expiresAt: at },
    })
    await Promise.all([
      ...pecks.map(({ peck_id }) =>
        call('POST /beak/peck/approve', { token: target.token, body: { peck_id } }),
      ),
      expirePecks(at),
    ])
    for (const { peck_id } of pecks) {
      const events = await db().auditEvent.findMany({
        where: {
          ducklingId: target.id,
          action: { in: ['peck.approved', 'peck.expired'] },
          outcome: 'success',
        },
      })
      const about = events.filter(({ targets }) => JSON.stringify(targets).includes(peck_id))
      expect(about).toHaveLength(1)
      const row = await db().peck.findUnique({ where: { id: peck_id } })
      expect(about[0]?.action).toBe(`peck.${row?.status}`)
    }
  })

  it('expires more than one batch of pecks', async () => {
    const id = await anOverduePeck()
    const row = await db().peck.findUniqueOrThrow({ where: { id } })
    const { approval: _, heldRejection: __, wouldApprove: ___, ...columns } = row
    await db().peck.createMany({
      data: Array.from({ length: 120 }, (_unused, index) => ({
        ...columns,
        id: `${id}${String(index).padStart(4, '0')}`,
        pendingKey: `${row.pendingKey}${index}`,
      })),
    })
    await expirePecks(new Date())
    expect(await db().peck.count({ where: { askerId: asker.id, status: 'pending' } })).toBe(0)
  })
})
