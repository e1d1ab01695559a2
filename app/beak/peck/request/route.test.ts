import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { sha256Hex } from '@/lib/kernel/secrets/secrets'

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling({ displayName: 'Alice42' })
  target = await aDuckling({ displayName: 'Bob7' })
})

const ask = (from: { token: string } | { beakKey: string }, body: object) =>
  call('POST /beak/peck/request', {
    ...('token' in from ? { token: from.token } : { key: from.beakKey }),
    body: { target_duckling_id: target.id, action: 'read:profile', scope: 'limited', ...body },
  })

async function events(ducklingId: string, action: string) {
  return db().auditEvent.findMany({ where: { ducklingId, action }, orderBy: { seq: 'asc' } })
}

describe('200', () => {
  it('creates a pending peck with every field of the contract', async () => {
    const { status, body } = await ask(asker, {
      params: { b: [1, 2], a: 'x' },
      message: '  Please  ',
      expires_in: 60,
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      peck_id: expect.stringMatching(/^PECK-[0-9A-HJKMNP-TV-Z]{26}$/),
      status: 'pending',
      grant_status: null,
      action: 'read:profile',
      scope: 'limited',
      params: { a: 'x', b: [1, 2] },
      params_hash: sha256Hex('{"a":"x","b":[1,2]}'),
      message: 'Please',
      summary: expect.stringContaining('Alice42 (tier T1) asks Bob7'),
      reason: null,
      target_duckling_id: target.id,
      target_display_name: 'Bob7',
      requester: {
        type: 'duckling',
        duckling_id: asker.id,
        display_name: 'Alice42',
        trust_tier: 'T1',
      },
      created_at: expect.any(String),
      expires_at: expect.any(String),
      decided_at: null,
      grant_expires_at: null,
      uses: 0,
      max_uses: null,
      last_used_at: null,
    })
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(60_000)
  })

  it('uses {} for missing params, one use for a missing scope, and expires the request after 24 hours', async () => {
    const { body } = await ask(asker, { scope: undefined })
    expect(body).toMatchObject({ params: {}, params_hash: sha256Hex('{}'), scope: 'limited', message: null })
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(86_400_000)
  })

  // security: check-38
  it('names the agent and its operator as the requester', async () => {
    const agent = await anAgent(asker, { name: 'Scout' })
    const { body } = await ask(agent, {})
    expect(body.requester).toEqual({
      type: 'agent',
      duckling_id: asker.id,
      display_name: 'Alice42',
      trust_tier: 'T1',
      agent_id: agent.agentId,
      agent_name: 'Scout',
    })
  })

  it('lets an agent ask its own operator, and records one event', async () => {
    const agent = await anAgent(target)
    const { status, body } = await ask(agent, {})
    expect(status).toBe(200)
    expect(body.requester.duckling_id).toBe(target.id)
    expect(await events(target.id, 'peck.sent')).toHaveLength(1)
  })

  it('records the request for both sides and sends webhooks, and hides the asker’s IP address from the target', async () => {
    const [ours, others] = await Promise.all([
      aWebhook('https://example.com/a', { owner: asker }),
      aWebhook('https://example.com/b', { owner: target }),
    ])
    const { body } = await ask(asker, {})
    const [[sent], [received]] = await Promise.all([
      events(asker.id, 'peck.sent'),
      events(target.id, 'peck.sent'),
    ])
    expect(sent).toMatchObject({ outcome: 'success', actorId: asker.id, ip: expect.any(String) })
    expect(received).toMatchObject({ outcome: 'success', actorId: asker.id, ip: null, userAgent: null })
    for (const { owner } of [ours, others]) {
      const messages = await db().webhookMessage.findMany({
        where: { ducklingId: owner.id, type: 'peck.sent' },
      })
      expect(messages.map(({ data }) => data)).toEqual([body])
    }
  })

  it('mails the target a link to the request, and not the message of the asker', async () => {
    const { body } = await ask(asker, { message: 'Click http://evil.example', params: { to: 'evil' } })
    const [mail, ...others] = (await sentTo(target.email)).filter(({ kind }) => kind === 'peck_waiting')
    expect(others).toEqual([])
    expect(mail?.subject).toBe("Somebody you don't know: Alice42 wants to read your profile (to evil)")
    expect(mail?.text).toContain(`/pecks/${body.peck_id}\n`)
    expect(mail?.text).not.toContain('evil.example')
  })

  it('mails once for 20 simultaneous requests of different askers', async () => {
    const askers = []
    for (let index = 0; index < 5; index++) askers.push(await aDuckling())
    await Promise.all(
      askers.flatMap((each) => ['a', 'b', 'c', 'd'].map((name) => ask(each, { action: `read:${name}` }))),
    )
    expect((await sentTo(target.email)).filter(({ kind }) => kind === 'peck_waiting')).toHaveLength(1)
  })
})

describe('an identical request', () => {
  it('returns the pending peck, whatever the order of the params', async () => {
    const first = await ask(asker, { params: { a: 1, b: 2 } })
    const second = await ask(asker, { params: { b: 2, a: 1 }, message: 'Again!' })
    expect(second.body).toEqual({ ...first.body, repeated: true })
    expect(first.body.repeated).toBeUndefined()
    expect(await events(target.id, 'peck.sent')).toHaveLength(1)
  })

  it('needs the same action, scope, params and asker', async () => {
    const agent = await anAgent(asker)
    const answers = [
      await ask(asker, {}),
      await ask(asker, { action: 'read:cert' }),
      await ask(asker, { scope: 'timed' }),
      await ask(asker, { params: { a: 1 } }),
      await ask(agent, {}),
    ]
    expect(new Set(answers.map(({ body }) => body.peck_id)).size).toBe(5)
  })

  // security: check-47
  it('creates one peck for 50 simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(asker, {})))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(new Set(answers.map(({ body }) => body.peck_id)).size).toBe(1)
    expect(answers.filter(({ body }) => !body.repeated)).toHaveLength(1)
    expect(await db().peck.count({ where: { askerId: asker.id } })).toBe(1)
    expect(await events(asker.id, 'peck.sent')).toHaveLength(1)
  })

  it('creates a new peck once the old one has expired, even before the worker has marked it', async () => {
    const first = await ask(asker, {})
    await db().peck.update({ where: { id: first.body.peck_id }, data: { expiresAt: new Date() } })
    const second = await ask(asker, {})
    expect(second.status).toBe(200)
    expect(second.body.peck_id).not.toBe(first.body.peck_id)
    expect(await db().peck.findUnique({ where: { id: first.body.peck_id } })).toMatchObject({
      status: 'expired',
      pendingKey: null,
    })
    expect(await events(target.id, 'peck.expired')).toHaveLength(1)
  })
})

describe('400', () => {
  it.each([
    [{ target_duckling_id: 'DUCK-short' }, 'target_duckling_id'],
    [{ action: 'profile' }, 'action'],
    [{ action: 'Read:profile' }, 'action'],
    [{ action: `read:${'a'.repeat(65)}` }, 'action'],
    [{ scope: 'always' }, 'scope'],
    [{ params: [] }, 'params'],
    [{ params: 'x' }, 'params'],
    [{ params: { text: 'é'.repeat(2048) } }, 'params'],
    [{ message: 'a'.repeat(281) }, 'message'],
    [{ message: 'a\u0007b' }, 'message'],
    [{ expires_in: 59 }, 'expires_in'],
    [{ expires_in: 2_592_001 }, 'expires_in'],
    [{ expires_in: 60.5 }, 'expires_in'],
    [{ grant_expires_in: 59 }, 'grant_expires_in'],
    [{ status: 'approved' }, 'status'],
  ])('names the invalid field in %j', async (change, field) => {
    const { status, body } = await ask(asker, change)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'E4000', errors: [{ field }] })
  })

  it.each([
    'DUCK-short',
    'teal',
    '@no such handle',
    'https://elsewhere.example/ask/00000000000000000000000000',
    'javascript:@teal',
    '',
  ])('names target for %j, and what it may be', async (given) => {
    const { status, body } = await ask(asker, { target_duckling_id: undefined, target: given })
    expect([status, body.errors]).toMatchObject([
      400,
      [
        {
          field: 'target',
          message: expect.stringContaining('a handle with @ (@mallard), or a whole invitation link'),
        },
      ],
    ])
  })

  it('rejects a request of a person to themselves', async () => {
    const { status, body } = await ask(target, {})
    expect([status, body.code]).toEqual([400, 'E4000'])
    expect(body.errors).toMatchObject([{ field: 'target_duckling_id' }])
  })

  it('accepts params of exactly 4 KiB and rejects more', async () => {
    const text = 'a'.repeat(4096 - '{"text":""}'.length)
    expect((await ask(asker, { params: { text } })).status).toBe(200)
    expect((await ask(asker, { params: { text: `${text}a` } })).status).toBe(400)
  })
})

describe('401', () => {
  it('names both credentials when there is none, and a session token in X-Beak-Key', async () => {
    const none = await call('POST /beak/peck/request', { body: {} })
    expect([none.status, none.body.reason, none.body.detail]).toEqual([
      401,
      'session_invalid',
      'No credential was sent.',
    ])
    expect(none.body.action).toMatch(/X-Beak-Key, or .* Authorization: Bearer <token>/)
    const token = await ask({ beakKey: asker.token }, {})
    expect([token.status, token.body.reason, token.body.detail]).toEqual([
      401,
      'beak_key_invalid',
      'X-Beak-Key contains a session token, not a beak key.',
    ])
    expect(token.body.message).toBe(token.body.detail)
    // For people only: no key would help.
    expect((await call('GET /beak/passkey/list')).body.action).not.toContain('X-Beak-Key')
  })
})

describe('403', () => {
  it('refuses a tier below the target’s minimum, and names that minimum', async () => {
    const low = await aDuckling({ tier: 'T0' })
    const { status, body } = await ask(low, {})
    expect(status).toBe(403)
    expect(body).toMatchObject({ code: 'E4002', required_tier: 'T1', current_tier: 'T0' })
    await db().duckling.update({ where: { id: target.id }, data: { minPeckTier: 'T3' } })
    expect((await ask(asker, {})).body).toMatchObject({ required_tier: 'T3', current_tier: 'T1' })
    expect(await db().peck.count({ where: { targetDucklingId: target.id } })).toBe(0)
  })

  it('uses the tier of the agent’s key when it is lower than the operator’s tier', async () => {
    const agent = await anAgent(asker)
    await db().duckling.update({ where: { id: asker.id }, data: { trustTier: 'T2' } })
    await db().duckling.update({ where: { id: target.id }, data: { minPeckTier: 'T2' } })
    expect((await ask(agent, {})).body).toMatchObject({ required_tier: 'T2', current_tier: 'T1' })
    expect((await ask(asker, {})).status).toBe(200)
  })

  it('refuses a standing permission from a target below T2', async () => {
    const { status, body } = await ask(asker, { scope: 'standing' })
    expect(status).toBe(403)
    expect(body).toMatchObject({ code: 'E4002', required_tier: 'T2' })
    await db().duckling.update({ where: { id: target.id }, data: { trustTier: 'T2' } })
    expect((await ask(asker, { scope: 'standing' })).status).toBe(200)
  })

  it('refuses an agent without the capability, and one that is not bonded', async () => {
    const mute = await anAgent(asker, { capabilities: ['read:peck'] })
    expect((await ask(mute, {})).body).toMatchObject({
      code: 'E4007',
      required_capability: 'request:peck',
    })
    const unbonded = await anAgent(asker, { bonded: false })
    expect((await ask(unbonded, {})).body.code).toBe('E4007')
  })

  it('records a refused attempt for the asker only', async () => {
    await ask(asker, { scope: 'standing' })
    expect(await events(asker.id, 'peck.sent')).toMatchObject([{ outcome: 'denied' }])
    expect(await events(target.id, 'peck.sent')).toEqual([])
  })
})
