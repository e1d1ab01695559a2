/** A request that its asker withdraws, and what webhooks tell about the end of requests and permissions. */

import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aWebhook } from '@/lib/fixtures/webhooks'

let owner: ADuckling
let target: ADuckling
let agent: AnAgent
beforeEach(async () => {
  owner = await aDuckling()
  target = await aDuckling()
  agent = await anAgent(owner)
})

const byAgent = (key: string, peckId: string) =>
  call('POST /beak/peck/cancel', { key, body: { peck_id: peckId } })
const byPerson = (who: ADuckling, peckId: string) =>
  call('POST /beak/peck/cancel', { token: who.token, body: { peck_id: peckId } })

async function cancellations(of: ADuckling) {
  const events = await db().auditEvent.findMany({
    where: { ducklingId: of.id, action: 'peck.cancelled' },
    orderBy: { seq: 'asc' },
  })
  return events.map(({ outcome, actorId }) => `${outcome} ${actorId}`)
}

describe('200', () => {
  it('cancels a peck of the caller or of their agent, and tells the target', async () => {
    for (const from of [owner, agent]) {
      const { peck_id } = await aPeck(from, target)
      const { status, body } = await byPerson(owner, peck_id)
      expect([status, body.status]).toEqual([200, 'cancelled'])
      expect((await aPeck(from, target)).peck_id).not.toBe(peck_id)
    }
    expect(await cancellations(target)).toEqual([`success ${owner.id}`, `success ${owner.id}`])
  })

  it('cancels what the agent asked, takes it out of the inbox, and names the agent in both logs', async () => {
    const { peck_id } = await aPeck(agent, target)
    const { status, body } = await byAgent(agent.beakKey, peck_id)
    expect([status, body.status, body.grant_status]).toEqual([200, 'cancelled', null])
    const inbox = await call('GET /beak/peck/inbox?list=strangers', { token: target.token })
    expect(inbox.body.items).toEqual([])
    for (const side of [owner, target])
      expect(await cancellations(side)).toEqual([`success ${agent.agentId}`])
  })

  it('cancels with a later key what the agent asked with an earlier one, and refuses the earlier key', async () => {
    const { peck_id } = await aPeck(agent, target)
    const rotated = await call('POST /beak/key/rotate', {
      token: owner.token,
      body: { agent_id: agent.agentId },
    })
    expect((await byAgent(agent.beakKey, peck_id)).body.code).toBe('E4001')
    expect((await byAgent(rotated.body.beak_key, peck_id)).body.status).toBe('cancelled')
  })

  it('gives no limit back', async () => {
    const codes: string[] = []
    for (let count = 0; count < 25 && !codes.includes('E4004'); count++) {
      const asked = await call('POST /beak/peck/request', {
        key: agent.beakKey,
        body: { target_duckling_id: target.id, action: 'read:mail', scope: 'limited', params: { count } },
      })
      codes.push(asked.body.code ?? (await byAgent(agent.beakKey, asked.body.peck_id)).body.status)
    }
    expect(codes.at(-1)).toBe('E4004')
    expect(codes.length).toBeLessThan(25)
  })
})

describe('403 and 404', () => {
  it('returns 403 to the target, and 404 to the agent of the target', async () => {
    const { peck_id } = await aPeck(agent, target)
    expect(await byPerson(target, peck_id)).toMatchObject({ status: 403, body: { code: 'E4007' } })
    expect(await byAgent((await anAgent(target)).beakKey, peck_id)).toMatchObject({ status: 404 })
    expect(await cancellations(owner)).toEqual([])
  })

  it('refuses an agent that is suspended or may not ask', async () => {
    const { peck_id } = await aPeck(agent, target)
    await call('POST /beak/agent/suspend', { token: owner.token, body: { agent_id: agent.agentId } })
    expect(await byAgent(agent.beakKey, peck_id)).toMatchObject({ status: 403, body: { code: 'E4007' } })
    const reader = await anAgent(owner, { capabilities: ['read:peck'] })
    expect(await byAgent(reader.beakKey, peck_id)).toMatchObject({
      status: 403,
      body: { required_capability: 'request:peck' },
    })
    expect((await byPerson(owner, peck_id)).status).toBe(200)
  })
})

describe('409', () => {
  it('leaves a permission as it is, and names what was decided', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(agent, target)
    expect(await byAgent(agent.beakKey, peck_id)).toMatchObject({
      status: 409,
      body: { code: 'E4008', current_status: 'approved' },
    })
    expect((await call('POST /beak/peck/consume', { body: { grant_token } })).status).toBe(200)
  })

  it('lets one of 50 cancellations and approvals win, and a use only after an approval', async () => {
    const { peck_id } = await aPeck(agent, target)
    const approve = () => call('POST /beak/peck/approve', { token: target.token, body: { peck_id } })
    const read = () => call(`GET /beak/peck/status?peck_id=${peck_id}`, { key: agent.beakKey })
    const use = async () => {
      const { grant_token } = (await read()).body
      return grant_token === undefined ? null : call('POST /beak/peck/consume', { body: { grant_token } })
    }
    const uses: Promise<Awaited<ReturnType<typeof use>>>[] = []
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        uses.push(use())
        return index % 2 === 0 ? byAgent(agent.beakKey, peck_id) : approve()
      }),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    const lost = answers.filter(({ status }) => status === 409)
    expect(lost).toHaveLength(49)
    const status = won[0]?.body.status
    expect(new Set(lost.map(({ body }) => body.current_status))).toEqual(new Set([status]))
    const used = [...(await Promise.all(uses)), await use()].filter((answer) => answer?.status === 200)
    expect(used).toHaveLength(status === 'approved' ? 1 : 0)
  })
})

describe('webhooks about the end', () => {
  const endKinds = ['peck.cancelled', 'peck.revoked']

  /** Returns a function that reads the messages to a duckling about an end: kind, peck, cause and successor. */
  async function followed(who: ADuckling) {
    await aWebhook('https://example.com/ends', { owner: who, kinds: endKinds })
    return async () => {
      const messages = await db().webhookMessage.findMany({
        where: { ducklingId: who.id },
        orderBy: { id: 'asc' },
      })
      return messages.map(({ type, data }) => {
        const { peck_id, status, grant_status, cause, superseded_by } = data as Record<string, unknown>
        return {
          type,
          peck_id,
          ended: grant_status ?? status,
          cause,
          ...(superseded_by ? { superseded_by } : {}),
        }
      })
    }
  }

  it('tells both sides that a request was withdrawn', async () => {
    const [ours, others] = [await followed(owner), await followed(target)]
    const { peck_id } = await aPeck(agent, target)
    await byPerson(owner, peck_id)
    for (const messages of [await ours(), await others()])
      expect(messages).toEqual([{ type: 'peck.cancelled', peck_id, ended: 'cancelled', cause: undefined }])
  })

  it('tells both sides that a permission was revoked, alone or with all others of the asker', async () => {
    const [ours, others] = [await followed(owner), await followed(target)]
    const one = await anApprovedPeck(agent, target, { scope: 'timed' })
    const other = await anApprovedPeck(agent, target, { scope: 'timed', action: 'read:mail' })
    await call('POST /beak/peck/revoke', { token: target.token, body: { peck_id: one.peck_id } })
    await call('POST /beak/peck/revoke-all', { token: target.token, body: { asker: agent.agentId } })
    for (const messages of [await ours(), await others()])
      expect(messages).toEqual(
        [one, other].map(({ peck_id }) => ({
          type: 'peck.revoked',
          peck_id,
          ended: 'revoked',
          cause: undefined,
        })),
      )
  })

  it('names the end of the agent as the cause', async () => {
    const [ours, others] = [await followed(owner), await followed(target)]
    const pending = await aPeck(agent, target)
    const given = await anApprovedPeck(agent, target, { scope: 'timed', action: 'read:mail' })
    await call('POST /beak/agent/deregister', { token: owner.token, body: { agent_id: agent.agentId } })
    const cause = 'agent_deregistered'
    for (const messages of [await ours(), await others()])
      expect(messages).toEqual([
        { type: 'peck.cancelled', peck_id: pending.peck_id, ended: 'cancelled', cause },
        { type: 'peck.revoked', peck_id: given.peck_id, ended: 'revoked', cause },
      ])
  })

  it('names the undo of an approval as the cause, and the request that waits in its place, once and to nobody else', async () => {
    const sides = [await followed(owner), await followed(target)]
    const toStranger = await followed(await aDuckling())
    const { peck_id } = await anApprovedPeck(agent, target)
    const undo = () => call('POST /beak/peck/undo', { token: target.token, body: { peck_id } })
    const { superseded_by } = (await undo()).body
    expect((await undo()).body.superseded_by).toBe(superseded_by)
    for (const ours of sides)
      expect(await ours()).toEqual([
        { type: 'peck.revoked', peck_id, ended: 'revoked', cause: 'undone', superseded_by },
      ])
    expect(await toStranger()).toEqual([])
  })

  it('names the end of an account as the cause to the other side', async () => {
    const others = await followed(target)
    const pending = await aPeck(agent, target)
    await call('POST /beak/account/delete', { token: owner.token, body: {} })
    expect(await others()).toMatchObject([
      { type: 'peck.cancelled', peck_id: pending.peck_id, cause: expect.any(String) },
    ])
  })

  it('tells a person who blocked the asker nothing', async () => {
    const [ours, others] = [await followed(owner), await followed(target)]
    await call('POST /beak/peck/block', { token: target.token, body: { duckling_id: owner.id } })
    const { peck_id } = await aPeck(agent, target)
    await byPerson(owner, peck_id)
    expect(await ours()).toMatchObject([{ type: 'peck.cancelled', peck_id }])
    expect(await others()).toEqual([])
  })
})
