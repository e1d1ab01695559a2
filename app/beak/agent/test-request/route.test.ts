import { testAction } from '@beak/decision/test-request'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { recountHistory } from '@/lib/domain/pecks/asker-history'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'

let owner: ADuckling
let agent: AnAgent
beforeEach(async () => {
  owner = await aDuckling({ displayName: 'Mallard' })
  agent = await anAgent(owner, { name: 'Scout' })
})

const send = (token = owner.token, agent_id = agent.agentId) =>
  call('POST /beak/agent/test-request', { token, body: { agent_id } })

const decide = (decision: 'approve' | 'reject', peck_id: string) =>
  call(`POST /beak/peck/${decision}`, {
    token: owner.token,
    body: { peck_id, ...(decision === 'reject' ? { reason: 'No' } : {}) },
  })

const statusFor = (peckId: string) => call(`GET /beak/peck/status?peck_id=${peckId}`, { key: agent.beakKey })

describe('200', () => {
  it('sends a low-risk request of the agent to its owner, and says that it is a test', async () => {
    const { status, body } = await send()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'pending',
      action: 'test:request',
      target_duckling_id: owner.id,
      requester: { type: 'agent', agent_id: agent.agentId, agent_name: 'Scout' },
      message: null,
      params: {},
    })
    expect(body.summary).toMatch(/^A test that Beak sends for Agent "Scout".*An approval permits nothing/)
    const seen = await call(`GET /beak/peck/status?peck_id=${body.peck_id}`, { token: owner.token })
    expect(seen.body.risk).toEqual({ level: 'low', reasons: [], novelty: [] })
  })

  it('records the owner as the actor, not the agent', async () => {
    await send()
    const [event] = await db().auditEvent.findMany({ where: { ducklingId: owner.id, action: 'peck.sent' } })
    expect(event).toMatchObject({
      actorType: 'duckling',
      actorId: owner.id,
      metadata: { action: testAction, asker: agent.agentId },
    })
  })

  it('returns the test that waits, also to 50 simultaneous calls', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => send()))
    expect(new Set(answers.map(({ body }) => body.peck_id)).size).toBe(1)
    expect(answers.filter(({ body }) => body.repeated !== true)).toHaveLength(1)
  })

  it('sends another one after the answer, also after three rejections', async () => {
    for (let turn = 0; turn < 4; turn++) {
      const { status, body } = await send()
      expect([status, body.repeated]).toEqual([200, undefined])
      expect((await decide('reject', body.peck_id)).status).toBe(200)
    }
    const { status } = await call('POST /beak/peck/request', {
      key: agent.beakKey,
      body: { target_duckling_id: owner.id, action: 'send:mail', scope: 'limited' },
    })
    expect(status).toBe(200)
  })
})

describe('an approval', () => {
  // security: agent-15
  it('permits nothing: it has ended at once, and there is no token for the agent', async () => {
    const { body } = await send()
    const approved = await decide('approve', body.peck_id)
    expect(approved.body).toMatchObject({ status: 'approved', grant_status: 'expired' })
    const seen = await statusFor(body.peck_id)
    expect(seen.body).toMatchObject({ status: 'approved', grant_status: 'expired' })
    expect(seen.body).not.toHaveProperty('grant_token')
    expect(await db().grantToken.count({ where: { peckId: body.peck_id } })).toBe(0)
  })

  it('ends at once even when the approval names a lifetime', async () => {
    const { body } = await send()
    const approved = await call('POST /beak/peck/approve', {
      token: owner.token,
      body: { peck_id: body.peck_id, grant_expires_in: 86_400 },
    })
    expect(approved.body).toMatchObject({ grant_status: 'expired' })
    const living = await call('GET /beak/peck/history?grant_status=active', { token: owner.token })
    expect(living.body.items).toEqual([])
  })

  // security: agent-15
  it('does not make the agent known, not even when the history is counted again', async () => {
    const { body } = await send()
    await decide('approve', body.peck_id)
    const where = { targetDucklingId: owner.id }
    expect(await db().askerHistory.count({ where })).toBe(0)
    await transaction((tx) => recountHistory(tx, owner.id, sql`false`))
    expect(await db().askerHistory.count({ where })).toBe(0)
  })
})

describe('a hostile agent', () => {
  // security: agent-15
  it('cannot ask for the action of a test, nor can a person', async () => {
    const other = await aDuckling()
    const body = { action: testAction, scope: 'limited' }
    const own = { ...body, target_duckling_id: owner.id }
    const answers = [
      await call('POST /beak/peck/request', { key: agent.beakKey, body: own }),
      await call('POST /beak/peck/request', {
        key: agent.beakKey,
        body: { ...body, target_duckling_id: other.id },
      }),
      await call('POST /beak/peck/request', { token: other.token, body: own }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toMatchObject([{ field: 'action' }])
    }
  })
})

describe('refusals', () => {
  it('returns 409 with the status for an agent that is not bonded', async () => {
    const unbonded = await anAgent(owner, { bonded: false })
    const answer = await send(owner.token, unbonded.agentId)
    expect([answer.status, answer.body.current_status]).toEqual([409, 'registered'])
    await call('POST /beak/agent/suspend', { token: owner.token, body: { agent_id: agent.agentId } })
    expect((await send()).body.current_status).toBe('suspended')
  })

  it('returns 429 when 50 requests of own agents wait', async () => {
    for (let n = 0; n < 50; n++)
      await call('POST /beak/peck/request', {
        key: agent.beakKey,
        body: { target_duckling_id: owner.id, action: 'send:mail', scope: 'limited', params: { n } },
      })
    expect((await send()).status).toBe(429)
  })
})
