import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { writeSeen } from '@/lib/domain/sessions/authenticate'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { readClock } from '@/lib/kernel/runtime/clock'

describe('GET /beak/agent/list', () => {
  describe('200', () => {
    it('lists the caller’s live agents, newest first, in pages', async () => {
      const duckling = await aDuckling()
      await anAgent(await aDuckling())
      const made = []
      for (let index = 0; index < 3; index++) made.unshift((await anAgent(duckling)).agentId)
      const first = await call('GET /beak/agent/list?limit=2', { token: duckling.token })
      const second = await call(`GET /beak/agent/list?limit=2&cursor=${first.body.next_cursor}`, {
        token: duckling.token,
      })
      const ids = [...first.body.items, ...second.body.items].map(({ agent_id }) => agent_id)
      expect(ids).toEqual(made)
      expect(second.body.next_cursor).toBeNull()
    })

    it('shows an agent without its secrets', async () => {
      const duckling = await aDuckling()
      const agent = await anAgent(duckling, { capabilities: ['read:profile'] })
      await call('GET /beak/profile', { key: agent.beakKey })
      const { body } = await call('GET /beak/agent/list', { token: duckling.token })
      expect(body.items).toEqual([
        {
          agent_id: agent.agentId,
          agent_name: agent.name,
          agent_type: 'assistant',
          capabilities: ['read:profile'],
          status: 'bonded',
          allow_query_key: true,
          asks_others: true,
          key: {
            key_id: agent.keyId,
            start: agent.beakKey.slice(0, 17),
            tier_scope: 'T1',
            created_at: expect.any(String),
            expires_at: expect.any(String),
            last_used_at: expect.stringMatching(/Z$/),
            retired_key_uses: 0,
          },
          connection: null,
          guard: null,
          created_at: expect.any(String),
          bonded_at: expect.any(String),
          last_seen_at: expect.stringMatching(/Z$/),
        },
      ])
    })

    it('shows the last use at once, and stores it for other instances', async () => {
      const duckling = await aDuckling()
      const agent = await anAgent(duckling)
      const last = async () => {
        const { body } = await call('GET /beak/agent/list', { token: duckling.token })
        return [body.items[0].key.last_used_at, body.items[0].last_seen_at]
      }
      await call('GET /beak/profile', { key: agent.beakKey })
      const [used, seen] = await last()
      await writeSeen(readClock())
      const row = await db().agent.findUniqueOrThrow({
        where: { id: agent.agentId },
        include: { keys: true },
      })
      expect([row.keys[0]?.lastUsedAt?.toISOString(), row.lastSeenAt?.toISOString()]).toEqual([used, seen])
      await call('GET /beak/profile', { key: agent.beakKey })
      expect((await last())[0] > used).toBe(true)
    })

    it('lists deregistered agents only with include=deregistered', async () => {
      const duckling = await aDuckling()
      const gone = await anAgent(duckling)
      await deregisterAgent(await duckling.context(), gone.agentId)
      const plain = await call('GET /beak/agent/list', { token: duckling.token })
      expect(plain.body).toEqual({ items: [], next_cursor: null })
      const all = await call('GET /beak/agent/list?include=deregistered', { token: duckling.token })
      expect(all.body.items).toMatchObject([{ agent_id: gone.agentId, status: 'deregistered' }])
    })
  })

  describe('200 with ?q', () => {
    const found = async (token: string, q: string, rest = '') => {
      const { status, body } = await call(`GET /beak/agent/list?q=${encodeURIComponent(q)}${rest}`, { token })
      expect(status).toBe(200)
      return body.items.map(({ agent_name }: { agent_name: string }) => agent_name)
    }

    it('finds agents by a part of their name, id, type or capabilities, in upper or lower case', async () => {
      const owner = await aDuckling()
      const { token } = owner
      const scout = await anAgent(owner, { name: 'Scout', capabilities: ['request:peck'] })
      await anAgent(owner, { name: 'Émile 100%', capabilities: ['read:audit', 'book:table'] })
      expect(await found(token, 'sCOU')).toEqual(['Scout'])
      expect(await found(token, scout.agentId.toLowerCase())).toEqual(['Scout'])
      expect(await found(token, ' book:TABLE ')).toEqual(['Émile 100%'])
      expect(await found(token, 'assistant')).toEqual(['Émile 100%', 'Scout'])
      expect(await found(token, 'nothing of the kind')).toEqual([])
    })

    it('treats % and _ as plain characters, and matches no text across two capabilities', async () => {
      const owner = await aDuckling()
      await anAgent(owner, { name: '100% duck', capabilities: ['read:audit', 'book:table'] })
      await anAgent(owner, { name: 'snake_case', capabilities: ['read:audit', 'book:table'] })
      expect(await found(owner.token, '%')).toEqual(['100% duck'])
      expect(await found(owner.token, '_')).toEqual(['snake_case'])
      expect(await found(owner.token, 'audit book')).toEqual([])
    })

    it('pages through the agents that it finds, with and without deregistered ones', async () => {
      const owner = await aDuckling()
      const gone = await anAgent(owner, { name: 'Find me 0' })
      await deregisterAgent(await owner.context(), gone.agentId)
      for (const name of ['Find me 1', 'Other', 'Find me 2']) await anAgent(owner, { name })
      const { body } = await call('GET /beak/agent/list?q=find&limit=1', { token: owner.token })
      expect(body.items).toMatchObject([{ agent_name: 'Find me 2' }])
      expect(await found(owner.token, 'find', `&cursor=${body.next_cursor}`)).toEqual(['Find me 1'])
      expect(await found(owner.token, 'find', '&include=deregistered')).toEqual([
        'Find me 2',
        'Find me 1',
        'Find me 0',
      ])
    })
  })

  describe('400, 401 and 403', () => {
    it.each(['q=', `q=${'x'.repeat(65)}`, 'include=everything', 'limit=0', 'cursor=x', 'status=bonded'])(
      'rejects ?%s',
      async (query) => {
        const { token } = await aDuckling()
        expect((await call(`GET /beak/agent/list?${query}`, { token })).status).toBe(400)
      },
    )
  })
})

describe('POST /beak/agent/update', () => {
  const update = (token: string, body: object) => call('POST /beak/agent/update', { token, body })

  it('accepts the names that agents have', async () => {
    const owner = await aDuckling()
    const { agentId } = await anAgent(owner)
    const names = ['Claude Code', 'Codex', '❤️ Helper', '1️⃣ First', 'GPT-помощник 2', '助手', 'Mail agent']
    for (const agent_name of names)
      expect((await update(owner.token, { agent_id: agentId, agent_name })).body.agent_name).toBe(agent_name)
  })

  // security: asker-24
  it.each([
    'Beak Support',
    'Bеak',
    'ＢＥＡＫ',
    'evil\u202egnp',
    'Your agent',
    'Operator of this service',
    'Claude Code (verified)',
    'T3 · certified',
    'C\u217caude Code',
    `Scou${'\u0301\u0302\u0303'.repeat(3)}t`,
  ])('400: rejects the name %j', async (name) => {
    const duckling = await aDuckling()
    const { agentId } = await anAgent(duckling)
    const { status, body } = await update(duckling.token, { agent_id: agentId, agent_name: name })
    expect([status, body.errors]).toMatchObject([400, [{ field: 'agent_name' }]])
  })

  it('200: changes the name, and whether the key is accepted in the query string', async () => {
    const duckling = await aDuckling()
    const { agentId } = await anAgent(duckling)
    const renamed = await update(duckling.token, { agent_id: agentId, agent_name: 'Diver' })
    expect(renamed.body).toMatchObject({ agent_name: 'Diver', allow_query_key: true })
    const closed = await update(duckling.token, { agent_id: agentId, allow_query_key: false })
    expect(closed.body).toMatchObject({ agent_name: 'Diver', allow_query_key: false, status: 'bonded' })
    const events = await db().auditEvent.findMany({
      where: { ducklingId: duckling.id, action: 'agent.updated' },
    })
    expect(events).toHaveLength(2)
  })

  it.each([
    [{}, 'agent_name'],
    [{ capabilities: ['read:audit'] }, 'capabilities'],
    [{ allow_query_key: 'no' }, 'allow_query_key'],
  ])('400: rejects the change %j', async (change, field) => {
    const duckling = await aDuckling()
    const { agentId } = await anAgent(duckling)
    const answer = await update(duckling.token, { agent_id: agentId, ...change })
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toMatchObject({ field })
  })

  it('409: does not change a deregistered agent', async () => {
    const duckling = await aDuckling()
    const { agentId } = await anAgent(duckling)
    await deregisterAgent(await duckling.context(), agentId)
    const answer = await update(duckling.token, { agent_id: agentId, agent_name: 'Ghost' })
    expect([answer.status, answer.body.current_status]).toEqual([409, 'deregistered'])
  })
})
