/** Tests each way to send a beak key and each cause of rejection over the API: the answer, and the events in the owner's log. */

import { describe, expect, it } from 'vitest'
import { type Answer, call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { updateAgent } from '@/lib/domain/identity/update-profile'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { statementsOf } from '@/lib/fixtures/statements'
import { systemContext } from '@/lib/kernel/request/context'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget, singleton } from '@/lib/kernel/runtime/singleton'
import { newId } from '@/lib/kernel/secrets/ids'
import { checksum, randomSecret } from '@/lib/kernel/secrets/secrets'
import { authenticateKey } from './beak-key'
import { rotateKey } from './credentials'
import { countRefusal, recordRefusal, refusalPauseSeconds, writeRefusals } from './refusals'
import { resumeAgent, suspendAgent } from './suspend'

async function make(options: { bonded?: boolean; capabilities?: string[] } = {}) {
  const duckling = await aDuckling()
  return { duckling, agent: await anAgent(duckling, options) }
}

const profile = (key: string) => call('GET /beak/profile', { key })

/** Writes pending counts, then returns the events about refused keys in the owner's log, oldest first. */
async function refusals(duckling: ADuckling, now = new Date()) {
  await writeRefusals(now)
  const events = await db().auditEvent.findMany({
    where: { ducklingId: duckling.id, action: 'key.refused', outcome: 'denied' },
    orderBy: { seq: 'asc' },
  })
  return events.map(({ metadata, actorType }) => ({ ...(metadata as object), actorType }))
}

/** Returns an answer without the members that differ for each request. */
function outward({ status, body, headers }: Answer) {
  const { request_id: _, ...rest } = body
  return { status, rest, challenge: headers.get('www-authenticate') }
}

/** Returns the key with another secret and the right checksum. */
function forged({ beakKey }: AnAgent): string {
  const body = beakKey.slice(0, -59) + randomSecret(32)
  return `${body}${checksum(body)}`
}

/** Reads or replaces a singleton of this process. */
function processValue(name: string, value?: unknown): unknown {
  if (value !== undefined) {
    forget(name)
    singleton(name, () => value)
  }
  return singleton(name, () => null)
}

describe('a valid key', () => {
  it('is accepted in X-Beak-Key, as bearer token, and in the query string, which is marked as deprecated', async () => {
    const { duckling, agent } = await make()
    const header = await profile(agent.beakKey)
    const bearer = await call('GET /beak/profile', { token: agent.beakKey })
    const query = await call(`GET /beak/profile?beak_key=${agent.beakKey}`)
    for (const { status, body } of [header, bearer, query])
      expect([status, body.duckling_id]).toEqual([200, duckling.id])
    expect(query.headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(header.headers.has('deprecation')).toBe(false)
    expect(bearer.headers.has('deprecation')).toBe(false)
  })

  it('is accepted until the millisecond before it expires', async () => {
    const { agent } = await make()
    const { expiresAt } = await db().beakKey.findUniqueOrThrow({ where: { id: agent.keyId } })
    const lastMoment = systemContext(new Date(expiresAt.getTime() - 1))
    await authenticateKey(agent.beakKey, false, lastMoment)
    await expect(authenticateKey(agent.beakKey, false, systemContext(expiresAt))).rejects.toMatchObject({
      failure: 'beak_key_invalid',
    })
  })

  // security: agent-11
  it('has the lower of its own tier and its operator’s current tier', async () => {
    const duckling = await aDuckling({ tier: 'T2' })
    const agent = await anAgent(duckling)
    const tierNow = async () => (await agent.context()).caller.tier
    expect(await tierNow()).toBe('T2')
    await db().duckling.update({ where: { id: duckling.id }, data: { trustTier: 'T3' } })
    expect(await tierNow()).toBe('T2')
    await db().duckling.update({ where: { id: duckling.id }, data: { trustTier: 'T0', listed: false } })
    expect(await tierNow()).toBe('T0')
  })
})

describe('an invalid key', () => {
  // security: stranger-11
  it('gets the same answer for every cause', async () => {
    const { duckling, agent } = await make()
    const expired = await anAgent(duckling)
    await db().beakKey.update({
      where: { id: expired.keyId },
      data: { expiresAt: secondsAfter(new Date(), -1) },
    })
    const rotated = await anAgent(duckling)
    await rotateKey(await duckling.context(), rotated.agentId, 90)
    const deregistered = await anAgent(duckling)
    await deregisterAgent(await duckling.context(), deregistered.agentId)
    const unknown = `beak_${newId('key', new Date())}_${randomSecret(32)}`
    const keys = [
      `beak_nonsense`,
      `${agent.beakKey.slice(0, -1)}${agent.beakKey.endsWith('0') ? '1' : '0'}`,
      agent.beakKey.toLowerCase(),
      `${unknown}${checksum(unknown)}`,
      forged(agent),
      expired.beakKey,
      rotated.beakKey,
      deregistered.beakKey,
    ]
    const [first, ...others] = (await Promise.all(keys.map(profile))).map(outward)
    expect(first).toMatchObject({ status: 401, rest: { code: 'E4001' }, challenge: expect.any(String) })
    for (const answer of others) expect(answer).toEqual(first)
  })

  // security: check-69
  it('is not recorded when its checksum is wrong', async () => {
    const { duckling, agent } = await make()
    const wrong = `${agent.beakKey.slice(0, -1)}${agent.beakKey.endsWith('0') ? '1' : '0'}`
    expect((await profile(wrong)).status).toBe(401)
    expect(await refusals(duckling)).toEqual([])
  })

  it('is recorded for its owner when the secret is wrong, but not counted as a use of the key', async () => {
    const { duckling, agent } = await make()
    expect((await profile(forged(agent))).status).toBe(401)
    expect(await refusals(duckling)).toMatchObject([
      { cause: 'wrong_secret', key_id: agent.keyId, agent_id: agent.agentId, actorType: 'anonymous' },
    ])
    const { deadUses } = await db().beakKey.findUniqueOrThrow({ where: { id: agent.keyId } })
    expect(deadUses).toBe(0)
  })

  it('causes one event with the count for 200 wrong secrets', async () => {
    const { duckling, agent } = await make()
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => profile(forged(agent))))
      expect(answers.every(({ status }) => status === 401)).toBe(true)
    }
    expect(await refusals(duckling)).toMatchObject([
      { cause: 'wrong_secret', key_id: agent.keyId, count: 200 },
    ])
  })

  it('causes one event for each cause in ten minutes, and the next event counts the uses since', async () => {
    const { duckling, agent } = await make()
    const now = new Date()
    const use = async (key: string, times: number) => {
      for (let count = 0; count < times; count++) expect((await profile(key)).status).toBe(401)
    }
    await use(forged(agent), 2)
    expect(await refusals(duckling, now)).toMatchObject([{ cause: 'wrong_secret', count: 2 }])
    await rotateKey(await duckling.context(), agent.agentId, 90)
    await use(agent.beakKey, 1)
    await use(forged(agent), 3)
    const afterRotation = [
      { cause: 'wrong_secret', count: 2 },
      { cause: 'revoked', count: 1 },
    ]
    expect(await refusals(duckling, secondsAfter(now, 5))).toMatchObject(afterRotation)
    await use(agent.beakKey, 4)
    expect(await refusals(duckling, secondsAfter(now, refusalPauseSeconds - 1))).toHaveLength(2)
    const later = await refusals(duckling, secondsAfter(now, refusalPauseSeconds + 6))
    expect(later).toHaveLength(4)
    expect(later).toMatchObject([
      ...afterRotation,
      { cause: 'wrong_secret', count: 3 },
      { cause: 'revoked', count: 4 },
    ])
    const { deadUses } = await db().beakKey.findUniqueOrThrow({ where: { id: agent.keyId } })
    expect(deadUses).toBe(5)
  })

  it('causes one event when 50 instances write at the same time, and every use is counted', async () => {
    const { duckling, agent } = await make()
    const now = new Date()
    const refusal = { ducklingId: duckling.id, agentId: agent.agentId, keyId: agent.keyId }
    const seen = { now, requestId: null, ip: null, userAgent: null }
    await Promise.all(
      Array.from({ length: 50 }, () =>
        recordRefusal(refusal, 1, new Map([['revoked', { count: 1, last: seen }]]), now),
      ),
    )
    expect(await refusals(duckling)).toMatchObject([{ cause: 'revoked', count: 1 }])
    const { deadUses } = await db().beakKey.findUniqueOrThrow({ where: { id: agent.keyId } })
    expect(deadUses).toBe(50)
  })

  it('is recorded later when the database was not available', async () => {
    const { duckling, agent } = await make()
    const [key, seen] = [
      { ducklingId: duckling.id, agentId: agent.agentId, keyId: agent.keyId },
      { now: new Date(), requestId: null, ip: null, userAgent: null },
    ]
    countRefusal(key, 'revoked', seen)
    const working = processValue('database')
    processValue('database', { opening: null, opened: null })
    await expect(writeRefusals(new Date())).rejects.toThrow('not open')
    processValue('database', working)
    countRefusal(key, 'revoked', seen)
    expect(await refusals(duckling)).toMatchObject([{ cause: 'revoked', count: 2 }])
  })

  // security: stranger-11
  it('causes the same statements as an unknown key, and no write', async () => {
    const { duckling, agent } = await make()
    const body = `beak_${newId('key', new Date())}_${randomSecret(32)}`
    const unknown = await statementsOf(() => profile(`${body}${checksum(body)}`))
    expect(unknown.length).toBeGreaterThan(0)
    expect(await statementsOf(() => profile(forged(agent)))).toEqual(unknown)
    const { beak_key: current } = await rotateKey(await duckling.context(), agent.agentId, 90)
    expect(await statementsOf(() => profile(agent.beakKey))).toEqual(unknown)
    expect((await profile(current)).status).toBe(200)
  })

  it('is in the audit log when its owner reads it, before the worker has run', async () => {
    const { duckling, agent } = await make()
    await profile(forged(agent))
    const { body } = await call('GET /beak/audit?action=key.refused', { token: duckling.token })
    expect(body.items).toMatchObject([{ outcome: 'denied', metadata: { cause: 'wrong_secret', count: 1 } }])
  })

  it('is recorded when it was rotated, and each use is counted and shown to the owner', async () => {
    const { duckling, agent } = await make()
    const { beak_key } = await rotateKey(await duckling.context(), agent.agentId, 90)
    for (let use = 0; use < 3; use++) expect((await profile(agent.beakKey)).status).toBe(401)
    expect((await profile(beak_key)).status).toBe(200)
    expect(await refusals(duckling)).toMatchObject([{ cause: 'revoked', key_id: agent.keyId, count: 3 }])
    const list = await call('GET /beak/agent/list', { token: duckling.token })
    expect(list.body.items[0].key.retired_key_uses).toBe(3)
  })

  it('is recorded when it has expired, and each use is counted and shown to the owner', async () => {
    const { duckling, agent } = await make()
    await db().beakKey.update({
      where: { id: agent.keyId },
      data: { expiresAt: secondsAfter(new Date(), -1) },
    })
    expect((await profile(agent.beakKey)).status).toBe(401)
    expect(await refusals(duckling)).toMatchObject([{ cause: 'expired', key_id: agent.keyId }])
    const list = await call('GET /beak/agent/list', { token: duckling.token })
    expect(list.body.items[0].key.retired_key_uses).toBe(1)
  })

  it('is rejected when its account is closed', async () => {
    const { duckling, agent } = await make()
    await db().duckling.update({ where: { id: duckling.id }, data: { deletedAt: new Date() } })
    expect((await profile(agent.beakKey)).status).toBe(401)
  })
})

describe('a key in the query string', () => {
  // security: D3
  it('is rejected when the owner has switched that off, but accepted in a header', async () => {
    const { duckling, agent } = await make()
    await updateAgent(await duckling.context(), { agent_id: agent.agentId, allow_query_key: false })
    const answer = await call(`GET /beak/profile?beak_key=${agent.beakKey}`)
    expect([answer.status, answer.body.code]).toEqual([401, 'E4001'])
    expect(await refusals(duckling)).toMatchObject([{ cause: 'query_key_off' }])
    expect((await profile(agent.beakKey)).status).toBe(200)
  })

  // security: D3
  it('does not bond an agent, and the attempt is recorded for the owner', async () => {
    const { duckling, agent } = await make({ bonded: false })
    const answer = await call(`POST /beak/agent/bond?beak_key=${agent.beakKey}`, {
      body: { agent_id: agent.agentId, handshake_token: agent.handshakeToken },
    })
    expect([answer.status, answer.body.code]).toEqual([401, 'E4001'])
    expect(await refusals(duckling)).toMatchObject([{ cause: 'query_key_at_bond', key_id: agent.keyId }])
    const { status } = await db().agent.findUniqueOrThrow({ where: { id: agent.agentId } })
    expect(status).toBe('registered')
  })

  it('is ignored when a header has a key', async () => {
    const { duckling, agent } = await make()
    const other = await make()
    const answer = await call(`GET /beak/profile?beak_key=${other.agent.beakKey}`, { key: agent.beakKey })
    expect(answer.body.duckling_id).toBe(duckling.id)
  })
})

describe('a valid key without permission', () => {
  it('is rejected before its agent is bonded', async () => {
    const { agent } = await make({ bonded: false })
    const { status, body } = await profile(agent.beakKey)
    expect([status, body.code]).toEqual([403, 'E4007'])
  })

  it('is rejected while its agent is suspended', async () => {
    const { duckling, agent } = await make()
    await suspendAgent(await duckling.context(), agent.agentId)
    const { status, body } = await profile(agent.beakKey)
    expect([status, body.code]).toEqual([403, 'E4007'])
    await resumeAgent(await duckling.context(), agent.agentId)
    expect((await profile(agent.beakKey)).status).toBe(200)
  })

  // security: agent-11
  it('is rejected without the capability, which the answer names', async () => {
    const { duckling, agent } = await make({ capabilities: ['read:cert'] })
    const { status, body } = await profile(agent.beakKey)
    expect([status, body.code, body.required_capability]).toEqual([403, 'E4007', 'read:profile'])
    const issue = await call('POST /beak/sso/issue', {
      key: agent.beakKey,
      body: { target_domain: 'example.com', scope: 'login' },
    })
    expect([issue.status, issue.body.required_capability]).toEqual([403, 'issue:sso'])
    const events = await db().auditEvent.findMany({
      where: { ducklingId: duckling.id, action: 'sso.issued' },
    })
    expect(events).toMatchObject([{ outcome: 'denied', actorType: 'agent', actorId: agent.agentId }])
  })

  it.each([
    'POST /beak/agent/register',
    'POST /beak/agent/deregister',
    'POST /beak/agent/suspend',
    'POST /beak/agent/resume',
    'POST /beak/agent/update',
    'POST /beak/agent/handshake',
    'GET /beak/agent/list',
    'POST /beak/key/rotate',
    'POST /beak/sso/bridge',
    'POST /beak/profile/update',
    'POST /beak/signout',
  ])('cannot call %s, which is for people', async (line) => {
    const { agent } = await make()
    const { status, body } = await call(line, { key: agent.beakKey })
    expect([status, body.code]).toEqual([403, 'E4007'])
  })

  it('does not replace a session token that is not valid', async () => {
    const { agent } = await make()
    const { status, body } = await call('GET /beak/profile', { token: 'a.b.c', key: agent.beakKey })
    expect([status, body.code]).toEqual([401, 'E4006'])
  })
})
