import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

const askers = ({ token }: ADuckling) => call('GET /beak/peck/askers', { token })

describe('200', () => {
  it('lists the agents and people who asked, with their actions and how often each was approved', async () => {
    const [operator, target] = [await aDuckling(), await aDuckling()]
    const agent = await anAgent(operator)
    await aPeck(agent, target, { action: 'read:mail', params: { a: 1 } })
    await anApprovedPeck(agent, target, { action: 'read:mail' })
    await aPeck(agent, target, { action: 'send:mail' })
    await aPeck(operator, target)
    const { status, body } = await askers(target)
    expect(status).toBe(200)
    expect(body.items).toHaveLength(2)
    expect(body.items).toEqual(
      expect.arrayContaining([
        {
          asker: agent.agentId,
          name: expect.any(String),
          operator_name: operator.displayName,
          duckling_id: operator.id,
          actions: [
            { action: 'send:mail', asked: 1, approved: 0, approved_by_rule: 0, approved_at: null },
            {
              action: 'read:mail',
              asked: 2,
              approved: 1,
              approved_by_rule: 0,
              approved_at: expect.any(String),
            },
          ],
        },
        {
          asker: operator.id,
          name: operator.displayName,
          duckling_id: operator.id,
          actions: [
            { action: 'read:profile', asked: 1, approved: 0, approved_by_rule: 0, approved_at: null },
          ],
        },
      ]),
    )
  })

  it('lists every asker with the newest 20 actions, also beside an asker with 600 actions', async () => {
    const [busy, calm, target] = [await aDuckling(), await aDuckling(), await aDuckling()]
    const now = readClock()
    await aPeck(calm, target)
    await db().askerHistory.createMany({
      data: Array.from({ length: 600 }, (_, index) => ({
        targetDucklingId: target.id,
        askerId: busy.id,
        action: `read:n${index}`,
        asked: 1,
        askedAt: secondsAfter(now, 600 + index),
      })),
    })
    const { body } = await askers(target)
    const actionsOf = new Map<string, { action: string }[]>(
      body.items.map(({ asker, actions }: { asker: string; actions: { action: string }[] }) => [
        asker,
        actions,
      ]),
    )
    expect(actionsOf.get(calm.id)).toMatchObject([{ action: 'read:profile' }])
    const newest = Array.from({ length: 20 }, (_, index) => `read:n${599 - index}`)
    expect(actionsOf.get(busy.id)?.map(({ action }) => action)).toEqual(newest)
  })

  it('lists nobody whose requests the caller never saw', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    await call('POST /beak/peck/block', { token: target.token, body: { duckling_id: asker.id } })
    await aPeck(asker, target)
    expect((await askers(target)).body.items).toEqual([])
    expect((await askers(asker)).body.items).toEqual([])
  })
})
