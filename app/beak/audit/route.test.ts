import { findChainFaults } from '@beak/proofs/audit/chain'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, anonymously } from '@/lib/factories/ducklings'
import { eventTopics, kindsOfTopic } from '@/lib/infrastructure/events/kinds'
import { record } from '@/lib/infrastructure/events/record'

interface Item {
  event_id: string
  seq: number
  action: string
  outcome: string
  prev_hash: string
  hash: string
}

/** Reads all events of a duckling page by page, newest first. */
async function walk({ token }: ADuckling, limit: number): Promise<Item[]> {
  const items: Item[] = []
  let cursor = ''
  for (;;) {
    const { status, body } = await call(`GET /beak/audit?limit=${limit}${cursor}`, { token })
    expect(status).toBe(200)
    items.push(...body.items)
    if (body.next_cursor === null) return items
    cursor = `&cursor=${body.next_cursor}`
  }
}

/** Records `count` more events. */
async function fill({ id }: ADuckling, count: number): Promise<void> {
  await transaction(async (tx) => {
    for (let index = 0; index < count; index++)
      record(tx, anonymously(), 'duckling.updated', { concerning: [id], metadata: { index } })
  })
}

describe('200', () => {
  // security: check-74
  it('lists changes and refused attempts, newest first, in the documented form', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    await call('POST /beak/cert/issue', {
      token: duckling.token,
      from: '192.0.2.7',
      headers: { 'User-Agent': 'Tester "é" \\1.0', 'X-Request-Id': 'my-request' },
    })
    const { status, body } = await call('GET /beak/audit', { token: duckling.token })
    expect(status).toBe(200)
    expect(body.items[0]).toEqual({
      event_id: expect.stringMatching(/^EVT-[0-9A-HJKMNP-TV-Z]{26}$/),
      duckling_id: duckling.id,
      seq: body.items.length,
      action: 'cert.issued',
      outcome: 'denied',
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: { type: 'duckling', id: duckling.id },
      targets: [],
      context: {
        ip: '192.0.2.7',
        user_agent: 'Tester "é" \\1.0',
        request_id: 'my-request',
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        salt: expect.stringMatching(/^[\w-]{22}$/),
      },
      metadata: { code: 'E4002', failure: 'tier_too_low' },
      prev_hash: body.items[1].hash,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const first = body.items.at(-1)
    expect(first).toMatchObject({ seq: 1, action: 'duckling.registered', prev_hash: '0'.repeat(64) })
    expect(body.next_cursor).toBeNull()
  })

  it('returns 100 events by default, at most 1000, and every event over several pages', async () => {
    const duckling = await aDuckling()
    await fill(duckling, 1010)
    const total = await db().auditEvent.count({ where: { ducklingId: duckling.id } })
    const { token } = duckling
    expect((await call('GET /beak/audit', { token })).body.items).toHaveLength(100)
    expect((await call('GET /beak/audit?limit=5000', { token })).body.items).toHaveLength(1000)
    const items = await walk(duckling, 400)
    expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: total }, (_, index) => total - index))
    expect(await findChainFaults(items, duckling.id, true)).toEqual([])
  })

  it('filters by kind of event', async () => {
    const duckling = await aDuckling()
    await fill(duckling, 5)
    const { token } = duckling
    const { body } = await call('GET /beak/audit?action=duckling.updated&limit=3', { token })
    expect(body.items.map(({ action }: Item) => action)).toEqual(Array(3).fill('duckling.updated'))
    const next = await call(`GET /beak/audit?action=duckling.updated&cursor=${body.next_cursor}`, { token })
    expect(next.body.items.map(({ metadata }: { metadata: object }) => metadata)).toEqual([
      { index: 1 },
      { index: 0 },
    ])
  })

  it('filters by topic, in pages, newest first', async () => {
    const duckling = await aDuckling()
    const { token } = duckling
    await anAgent(duckling)
    await fill(duckling, 3)
    const { body } = await call('GET /beak/audit?topic=settings&limit=3', { token })
    expect(body.items.map(({ action }: Item) => action)).toEqual(Array(3).fill('duckling.updated'))
    const rest = await call(`GET /beak/audit?topic=settings&cursor=${body.next_cursor}`, { token })
    expect(rest.body.items.at(-1)).toMatchObject({ seq: 1, action: 'duckling.registered' })
    const own = await walk(duckling, 100)
    for (const topic of eventTopics) {
      const kinds: string[] = kindsOfTopic(topic)
      const { body } = await call(`GET /beak/audit?topic=${topic}`, { token })
      expect(body.items).toEqual(own.filter(({ action }) => kinds.includes(action)))
    }
  })

  it('filters refused attempts, in pages, with a partial index', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    const { token } = duckling
    for (let turn = 0; turn < 3; turn++) await call('POST /beak/cert/issue', { token })
    await fill(duckling, 5)
    const { body } = await call('GET /beak/audit?outcome=denied&limit=2', { token })
    expect(body.items.map(({ outcome }: Item) => outcome)).toEqual(['denied', 'denied'])
    const rest = await call(`GET /beak/audit?outcome=denied&cursor=${body.next_cursor}`, { token })
    expect(rest.body.items).toHaveLength(1)
    const none = await call('GET /beak/audit?outcome=denied&action=duckling.updated', { token })
    expect(none.body.items).toEqual([])
    const done = await call('GET /beak/audit?outcome=success', { token })
    expect(done.body.items.every(({ outcome }: Item) => outcome === 'success')).toBe(true)

    await db().run`ANALYZE "AuditEvent"`
    const plan = await transaction(async (tx) => {
      await tx.run`SET LOCAL enable_seqscan = off`
      return tx.rows`EXPLAIN (FORMAT JSON) SELECT * FROM "AuditEvent"
        WHERE "ducklingId" = ${duckling.id} AND "outcome" = ${'denied'} AND "seq" < 100 ORDER BY "seq" DESC LIMIT 51`
    })
    expect(JSON.stringify(plan)).toContain('AuditEvent_denied_idx')
  })

  it('shows another account nothing, even with a cursor of the owner', async () => {
    const [owner, stranger] = [await aDuckling(), await aDuckling()]
    await fill(owner, 30)
    const own = new Set((await walk(owner, 1000)).map(({ event_id }) => event_id))
    const { body } = await call('GET /beak/audit?limit=5', { token: owner.token })
    const seen = [
      ...(await walk(stranger, 1000)),
      ...(await call(`GET /beak/audit?cursor=${body.next_cursor}`, { token: stranger.token })).body.items,
    ]
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.filter(({ event_id }) => own.has(event_id))).toEqual([])
  })

  it("lets an agent with read:audit read its operator's log", async () => {
    const duckling = await aDuckling()
    const { beakKey: key } = await anAgent(duckling, { capabilities: ['read:audit'] })
    const { body } = await call('GET /beak/audit', { key })
    expect(body.items.at(-1)).toMatchObject({ action: 'duckling.registered', actor: { id: duckling.id } })
  })
})

describe('the chain', () => {
  it('has no gap and no fork after 50 simultaneous commands and refusals', async () => {
    const duckling = await aDuckling()
    const { token } = duckling
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0
          ? call('POST /beak/cert/issue', { token })
          : call('POST /beak/cert/revoke', { token, body: { reason: `Grund ${index} “\u2028\\n” 🦆` } }),
      ),
    )
    const items = await walk(duckling, 1000)
    expect(items.filter(({ action }) => action.startsWith('cert.')).length).toBeGreaterThanOrEqual(50)
    expect(items.map(({ seq }) => seq)).toEqual(items.map((_, index) => items.length - index))
    expect(await findChainFaults(items, duckling.id, true)).toEqual([])
  })

  it('adds an event that concerns two accounts to both chains', async () => {
    const [left, right] = [await aDuckling(), await aDuckling()]
    const both = [left.id, right.id]
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        transaction(async (tx) =>
          record(tx, anonymously(), 'peck.snoozed', {
            concerning: index % 2 === 0 ? both : both.toReversed(),
            metadata: { index, text: 'ä\u0001\t"\\/', list: ['1', '2'], none: null, yes: true, number: 1.5 },
          }),
        ),
      ),
    )
    for (const duckling of [left, right]) {
      const items = await walk(duckling, 1000)
      expect(items.filter(({ action }) => action === 'peck.snoozed')).toHaveLength(20)
      expect(await findChainFaults(items, duckling.id, true)).toEqual([])
    }
  })

  // security: mail-15, database-1, check-75
  it('cannot be updated, deleted or truncated in the database', async () => {
    const { id } = await aDuckling()
    const before = await db().auditEvent.findMany({ where: { ducklingId: id }, orderBy: { seq: 'asc' } })
    const refusal = /append-only/
    await expect(
      db().run`UPDATE "AuditEvent" SET "outcome" = 'denied' WHERE "ducklingId" = ${id}`,
    ).rejects.toThrow(refusal)
    await expect(db().run`DELETE FROM "AuditEvent" WHERE "ducklingId" = ${id}`).rejects.toThrow(refusal)
    await expect(db().run`TRUNCATE "AuditEvent"`).rejects.toThrow(refusal)
    await expect(db().auditEvent.deleteMany({ where: { ducklingId: id } })).rejects.toThrow()
    expect(await db().auditEvent.findMany({ where: { ducklingId: id }, orderBy: { seq: 'asc' } })).toEqual(
      before,
    )
  })
})

describe('400', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['action=Every%20thing', 'action'],
    ['action=', 'action'],
    ['topic=nonsense', 'topic'],
    ['cursor=nonsense', 'cursor'],
    // A well-formed cursor with a key that is not a number.
    [`cursor=${Buffer.from('kEVT-1').toString('base64url')}`, 'cursor'],
    [`cursor=${Buffer.from('k99999999999').toString('base64url')}`, 'cursor'],
    ['duckling_id=DUCK-01JD0000000000000000000000', 'duckling_id'],
  ])('rejects %s', async (query, field) => {
    const { token } = await aDuckling({ tier: 'T0' })
    const { status, body } = await call(`GET /beak/audit?${query}`, { token })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ field }])
  })
})

describe('403', () => {
  it('rejects an agent without read:audit, and every agent at the head', async () => {
    const duckling = await aDuckling()
    const { beakKey: key } = await anAgent(duckling, { capabilities: ['read:profile'] })
    expect((await call('GET /beak/audit', { key })).body).toMatchObject({
      code: 'E4007',
      required_capability: 'read:audit',
    })
    const able = await anAgent(duckling, { capabilities: ['read:audit'] })
    expect((await call('GET /beak/audit/head', { key: able.beakKey })).body.code).toBe('E4007')
  })
})

describe('GET /beak/audit/head', () => {
  describe('200', () => {
    it('signs the newest event of the log', async () => {
      const { id, token } = await aDuckling()
      const { status, body } = await call('GET /beak/audit/head', { token })
      expect(status).toBe(200)
      const newest = (await call('GET /beak/audit?limit=1', { token })).body.items[0]
      expect(body).toEqual({
        duckling_id: id,
        seq: newest.seq,
        hash: newest.hash,
        signed_at: expect.stringMatching(/\.000Z$/),
        head: expect.any(String),
      })
      const { body: jwks } = await call('GET /.well-known/jwks.json')
      const { payload } = await jwtVerify(body.head, createLocalJWKSet(jwks), { typ: 'audit-head+jwt' })
      expect(payload).toEqual({
        iss: 'http://localhost:3000',
        aud: 'http://localhost:3000',
        sub: id,
        seq: newest.seq,
        hash: newest.hash,
        iat: Date.parse(body.signed_at) / 1000,
      })
    })

    it('changes with the next event', async () => {
      const { token } = await aDuckling()
      const before = await call('GET /beak/audit/head', { token })
      await call('POST /beak/cert/issue', { token })
      const after = await call('GET /beak/audit/head', { token })
      expect(after.body.seq).toBe(before.body.seq + 1)
    })

    it('is not accepted as a session token', async () => {
      const { token } = await aDuckling()
      const { body } = await call('GET /beak/audit/head', { token })
      expect((await call('GET /beak/profile', { token: body.head })).status).toBe(401)
    })
  })
})
