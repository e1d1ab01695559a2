import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { db } from '@/lib/db/client'
import { suspendAgent } from '@/lib/domain/agents/suspend'
import { approvePeck } from '@/lib/domain/pecks/decide/approve'
import { rejectPeck } from '@/lib/domain/pecks/decide/decline'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { statementsOf } from '@/lib/fixtures/statements'

async function activityOf(duckling: ADuckling): Promise<ResponseOf<'GET /beak/agent/activity'>['items']> {
  const { status, body } = await call('GET /beak/agent/activity', { token: duckling.token })
  expect(status).toBe(200)
  return body.items
}

describe('GET /beak/agent/activity', () => {
  describe('200', () => {
    it('shows an agent that asked nobody, one that has not bonded and a suspended one', async () => {
      const owner = await aDuckling()
      const suspended = await anAgent(owner, { name: 'Rest' })
      await suspendAgent(await owner.context(), suspended.agentId)
      await anAgent(owner, { name: 'New', bonded: false })
      await anAgent(owner, { name: 'Quiet' })
      const items = await activityOf(owner)
      expect(Object.fromEntries(items.map((item) => [item.agent_name, item]))).toMatchObject({
        Rest: {
          agent_id: suspended.agentId,
          status: 'suspended',
          waiting: 0,
          waiting_for_you: 0,
          peck: null,
        },
        New: { status: 'registered', last_seen_at: null, peck: null },
        Quiet: { status: 'bonded', peck: null },
      })
    })

    it('shows the newest request that waits for the owner before newer ones that wait for others', async () => {
      const [owner, other] = [await aDuckling(), await aDuckling()]
      const agent = await anAgent(owner)
      await aPeck(agent, owner, { action: 'send:mail' })
      const own = await aPeck(agent, owner, { action: 'book:table' })
      await aPeck(agent, other, { action: 'read:calendar' })
      const [item] = await activityOf(owner)
      expect(item).toMatchObject({ waiting: 3, waiting_for_you: 2 })
      expect(item?.peck).toEqual({
        peck_id: own.peck_id,
        action: 'book:table',
        status: 'pending',
        grant_status: null,
        target_duckling_id: owner.id,
        target_display_name: own.target_display_name,
        created_at: expect.any(String),
        expires_at: expect.any(String),
        changed_at: expect.any(String),
        grant_expires_at: null,
        uses: 0,
        by_rule: false,
      })
    })

    it('shows the request that changed last when none waits', async () => {
      const [owner, other] = [await aDuckling(), await aDuckling()]
      const agent = await anAgent(owner)
      const first = await aPeck(agent, other, { action: 'send:mail' })
      const second = await aPeck(agent, other, { action: 'book:table' })
      await rejectPeck(await other.context(), second.peck_id, 'Not now')
      await approvePeck(await other.context(), {
        peckId: first.peck_id,
        grantExpiresIn: undefined,
        passkey: undefined,
      })
      const [item] = await activityOf(owner)
      expect(item).toMatchObject({
        waiting: 0,
        peck: { peck_id: first.peck_id, status: 'approved', grant_status: 'active' },
      })
    })

    it('shows an older permission that was used after the newest request was answered', async () => {
      const [owner, other] = [await aDuckling(), await aDuckling()]
      const agent = await anAgent(owner)
      const used = await anApprovedPeck(agent, other, { action: 'send:mail' })
      await anApprovedPeck(agent, other, { action: 'book:table' })
      const { grant_token } = used
      expect((await call('POST /beak/peck/consume', { body: { grant_token } })).status).toBe(200)
      const [item] = await activityOf(owner)
      expect(item).toMatchObject({ peck: { peck_id: used.peck_id, grant_status: 'consumed', uses: 1 } })
    })

    it('counts a request as expired from its expiry on, before the worker has written that', async () => {
      const [owner, other] = [await aDuckling(), await aDuckling()]
      const agent = await anAgent(owner)
      const { peck_id } = await aPeck(agent, other)
      const past = new Date(Date.now() - 60_000)
      await db()
        .run`UPDATE "Peck" SET "expiresAt" = ${past}, "createdAt" = ${new Date(0)} WHERE "id" = ${peck_id}`
      const [item] = await activityOf(owner)
      expect(item).toMatchObject({
        waiting: 0,
        peck: { peck_id, status: 'expired', changed_at: past.toISOString() },
      })
    })

    it('finds a waiting request that is older than the 20 newest of its agent', async () => {
      const owner = await aDuckling()
      const agent = await anAgent(owner)
      const oldest = await aPeck(agent, owner, { action: 'book:table' })
      const { peck_id } = await anApprovedPeck(agent, owner)
      // 25 requests that are newer than both, and answered.
      await db().run`
        INSERT INTO "Peck" SELECT (jsonb_populate_record(p, jsonb_build_object('id', p."id" || 'Z' || n))).*
        FROM "Peck" p, generate_series(10, 34) n WHERE p."id" = ${peck_id}`
      const [item] = await activityOf(owner)
      expect(item).toMatchObject({ waiting_for_you: 1, peck: { peck_id: oldest.peck_id } })
    })

    it('lists agents that wait for the owner first, then those that wait for others', async () => {
      const [owner, other] = [await aDuckling(), await aDuckling()]
      const asksOwner = await anAgent(owner, { name: 'Asks the owner' })
      const asksOther = await anAgent(owner, { name: 'Asks another' })
      const quiet = await anAgent(owner, { name: 'Quiet' })
      await aPeck(asksOwner, owner)
      await aPeck(asksOther, other)
      const ids = (await activityOf(owner)).map(({ agent_id }) => agent_id)
      expect(ids).toEqual([asksOwner.agentId, asksOther.agentId, quiet.agentId])
    })

    it('leaves out deregistered agents and the agents of other people', async () => {
      const owner = await aDuckling()
      await anAgent(await aDuckling())
      const gone = await anAgent(owner)
      await deregisterAgent(await owner.context(), gone.agentId)
      expect(await activityOf(owner)).toEqual([])
    })

    it('reads all agents with one statement', async () => {
      const owner = await aDuckling()
      for (let count = 0; count < 3; count++) await aPeck(await anAgent(owner), owner)
      await activityOf(owner)
      const statements = await statementsOf(() => activityOf(owner))
      expect(statements.filter((text) => text.includes('"Peck"'))).toHaveLength(1)
      expect(statements.filter((text) => text.includes('FROM "Agent"'))).toHaveLength(1)
    })
  })
})
