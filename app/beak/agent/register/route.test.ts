import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { day } from '@/lib/kernel/runtime/clock'
import { sha256 } from '@/lib/kernel/secrets/secrets'

const valid = {
  agent_name: 'Paddler',
  agent_type: 'assistant',
  capabilities: ['read:profile', 'request:peck'],
}

const register = ({ token }: ADuckling, change: object = {}) =>
  call('POST /beak/agent/register', { token, body: { ...valid, ...change } })

describe('200', () => {
  it('returns the agent, a key for 90 days and a handshake for an hour', async () => {
    const duckling = await aDuckling()
    const { status, body } = await register(duckling)
    expect(status).toBe(200)
    expect(body).toEqual({
      agent_id: expect.stringMatching(/^AGT-[0-9A-Z]{26}$/),
      ...valid,
      status: 'registered',
      beak_key: expect.stringMatching(/^beak_KEY-[0-9A-Z]{26}_[0-9A-Z]{59}$/),
      key_id: expect.stringMatching(/^KEY-/),
      key_expires_at: expect.any(String),
      handshake_token: expect.stringMatching(/^HSK-[0-9A-Z]{78}$/),
      handshake_expires_at: expect.any(String),
    })
    expect(Date.parse(body.key_expires_at) - Date.parse(body.handshake_expires_at)).toBe(
      (90 * day - 3600) * 1000,
    )
    expect(body.beak_key).toContain(`beak_${body.key_id}_`)
  })

  // security: check-69
  it('stores only digests of the two secrets, and none in the audit log', async () => {
    const duckling = await aDuckling()
    const { body } = await register(duckling)
    const key = await db().beakKey.findUniqueOrThrow({ where: { id: body.key_id } })
    const secret = body.beak_key.slice(-59, -7)
    expect(Buffer.from(key.secretHash)).toEqual(sha256(secret))
    const events = await db().auditEvent.findMany({ where: { ducklingId: duckling.id } })
    const rest = JSON.stringify(events)
    expect(rest).toContain(body.agent_id)
    expect(rest).not.toContain(secret)
    expect(rest).not.toContain(body.handshake_token.slice(-52))
  })

  it('gives the key the caller’s tier', async () => {
    const duckling = await aDuckling({ tier: 'T2' })
    const { body } = await register(duckling)
    const list = await call('GET /beak/agent/list', { token: duckling.token })
    expect(list.body.items[0]).toMatchObject({ agent_id: body.agent_id, key: { tier_scope: 'T2' } })
  })
})

describe('200 for names and types of any kind', () => {
  it.each(['Scout', 'Mail helper', 'Kalender-Agent 2', 'Beakman', 'Помощник', 'עוזר אישי', '助手', '🦆'])(
    'accepts the name %s',
    async (name) => {
      const { status, body } = await register(await aDuckling(), { agent_name: name })
      expect([status, body.agent_name]).toEqual([200, name])
    },
  )

  it.each(['AI Assistant', 'a', 'x'.repeat(64), 'Assistent für Züge', '助手'])(
    'accepts the type %s',
    async (type) => {
      const { status, body } = await register(await aDuckling(), { agent_type: type })
      expect([status, body.agent_type]).toEqual([200, type])
      const verified = await call(`GET /beak/agent/verify?agent_id=${body.agent_id}`)
      expect(verified.body.agent_type).toBe(type)
    },
  )
})

describe('400', () => {
  it.each([
    [{ agent_name: '' }, 'agent_name'],
    [{ agent_name: 'x'.repeat(65) }, 'agent_name'],
    [{ agent_name: 'two\nlines' }, 'agent_name'],
    [{ agent_name: 'evil\u202egnp' }, 'agent_name'],
    [{ agent_name: 'soft\u00adhyphen' }, 'agent_name'],
    [{ agent_name: 'zero\u200dwidth' }, 'agent_name'],
    [{ agent_name: 'Sсout' }, 'agent_name'],
    [{ agent_name: 'Beak Support' }, 'agent_name'],
    [{ agent_name: 'Bеak' }, 'agent_name'],
    [{ agent_name: 'ＢＥＡＫ' }, 'agent_name'],
    [{ agent_name: 'The 0fficial agent' }, 'agent_name'],
    [{ agent_type: '' }, 'agent_type'],
    [{ agent_type: '  ' }, 'agent_type'],
    [{ agent_type: 'x'.repeat(65) }, 'agent_type'],
    [{ agent_type: 'two\nlines' }, 'agent_type'],
    [{ agent_type: 'evil\u202egnp' }, 'agent_type'],
    [{ agent_type: 'zero\u200bwidth' }, 'agent_type'],
    [{ capabilities: [] }, 'capabilities'],
    [{ capabilities: 'read:profile' }, 'capabilities'],
    [{ capabilities: ['read'] }, 'capabilities.0'],
    [{ capabilities: ['read:profile', 'read:profile'] }, 'capabilities'],
    [{ capabilities: Array.from({ length: 33 }, (_, index) => `read:thing${index}`) }, 'capabilities'],
    [{ status: 'bonded' }, 'status'],
  ])('names the invalid field in %j', async (change, field) => {
    const answer = await register(await aDuckling(), change)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field }])
  })
})

describe('403', () => {
  it('rejects calls of agents, and records them', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    const answer = await call('POST /beak/agent/register', { key: agent.beakKey, body: valid })
    expect([answer.status, answer.body.code]).toEqual([403, 'E4007'])
    expect(
      await db().auditEvent.findMany({ where: { ducklingId: duckling.id, outcome: 'denied' } }),
    ).toMatchObject([{ action: 'agent.registered', metadata: { agent_id: agent.agentId } }])
  })
})

describe('409', () => {
  it('allows 25 live agents, even for 50 simultaneous registrations', async () => {
    const duckling = await aDuckling()
    const answers = await Promise.all(Array.from({ length: 50 }, () => register(duckling)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25)
    expect(answers.filter(({ status, body }) => status === 409 && body.code === 'E4008')).toHaveLength(25)
    const agents = await db().agent.findMany({ where: { ducklingId: duckling.id } })
    expect(agents).toHaveLength(25)
    await deregisterAgent(await duckling.context(), agents[0]?.id ?? '')
    expect((await register(duckling)).status).toBe(200)
    expect((await register(duckling)).status).toBe(409)
  })
})
