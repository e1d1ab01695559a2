/** Every way a beak key can come and fail, over the API: what the outside sees, and what its owner learns. */
import { describe, expect, it } from 'vitest'
import { type Answer, call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type AnAgent, anAgent } from '@/lib/fixtures/agents'
import { type ADuckling, aDuckling } from '@/lib/fixtures/ducklings'
import { secondsAfter } from '@/lib/kernel/clock'
import { newId } from '@/lib/kernel/ids'
import { checksum, randomSecret } from '@/lib/kernel/secrets'
import { authenticateKey } from './beak-key'
import { deregisterAgent } from './deregister'
import { resumeAgent } from './resume'
import { rotateKey } from './rotate-key'
import { suspendAgent } from './suspend'
import { updateAgent } from './update'

async function make(options: { bonded?: boolean; capabilities?: string[] } = {}) {
  const duckling = await aDuckling()
  return { duckling, agent: await anAgent(duckling, options) }
}

const profile = (key: string) => call('GET /beak/profile', { key })

/** What the owner's log says of refused keys, oldest first. */
async function refusals(duckling: ADuckling) {
  const events = await db().auditEvent.findMany({
    where: { ducklingId: duckling.id, action: 'key.refused', outcome: 'denied' },
    orderBy: { seq: 'asc' },
  })
  return events.map(({ metadata, actorType }) => ({ ...(metadata as object), actorType }))
}

/** The answer without what differs from request to request. */
function outward({ status, body, headers }: Answer) {
  const { request_id: _, ...rest } = body
  return { status, rest, challenge: headers.get('www-authenticate') }
}

/** The key with another secret, its checksum made right. */
function forged({ beakKey }: AnAgent): string {
  const body = beakKey.slice(0, -59) + randomSecret(32)
  return `${body}${checksum(body)}`
}

describe('a good key is accepted', () => {
  it('in X-Beak-Key, as bearer, and in the query string, which is marked as deprecated', async () => {
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

  it('up to its last millisecond', async () => {
    const { agent } = await make()
    const { expiresAt } = await db().beakKey.findUniqueOrThrow({ where: { id: agent.keyId } })
    await authenticateKey(agent.beakKey, false, new Date(expiresAt.getTime() - 1))
    await expect(authenticateKey(agent.beakKey, false, expiresAt)).rejects.toMatchObject({
      failure: 'beak_key_invalid',
      concern: { metadata: { cause: 'expired' } },
    })
  })

  it('with the lower of the key’s tier and its operator’s', async () => {
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

describe('a bad key', () => {
  it('gets one outward answer, whatever is wrong with it', async () => {
    const { duckling, agent } = await make()
    const expired = await anAgent(duckling)
    await db().beakKey.update({
      where: { id: expired.keyId },
      data: { expiresAt: secondsAfter(new Date(), -1) },
    })
    const rotated = await anAgent(duckling)
    await rotateKey(await duckling.context(), rotated.agentId, 90)
    const gone = await anAgent(duckling)
    await deregisterAgent(await duckling.context(), gone.agentId)
    const unknown = `beak_${newId('key', new Date())}_${randomSecret(32)}`
    const keys = [
      `beak_nonsense`,
      `${agent.beakKey.slice(0, -1)}${agent.beakKey.endsWith('0') ? '1' : '0'}`,
      agent.beakKey.toLowerCase(),
      `${unknown}${checksum(unknown)}`,
      forged(agent),
      expired.beakKey,
      rotated.beakKey,
      gone.beakKey,
    ]
    const [first, ...others] = (await Promise.all(keys.map(profile))).map(outward)
    expect(first).toMatchObject({ status: 401, rest: { code: 'E4001' }, challenge: expect.any(String) })
    for (const answer of others) expect(answer).toEqual(first)
  })

  it('with a wrong checksum, or that never was, leaves no trace', async () => {
    const { duckling, agent } = await make()
    const wrong = `${agent.beakKey.slice(0, -1)}${agent.beakKey.endsWith('0') ? '1' : '0'}`
    expect((await profile(wrong)).status).toBe(401)
    expect(await refusals(duckling)).toEqual([])
  })

  it('with a wrong secret is told to its owner, and counts as no use of the key', async () => {
    const { duckling, agent } = await make()
    expect((await profile(forged(agent))).status).toBe(401)
    expect(await refusals(duckling)).toMatchObject([
      { cause: 'wrong_secret', key_id: agent.keyId, agent_id: agent.agentId, actorType: 'anonymous' },
    ])
    const { deadUses } = await db().beakKey.findUniqueOrThrow({ where: { id: agent.keyId } })
    expect(deadUses).toBe(0)
  })

  it('that was rotated is told to its owner, and every use of it is counted and shown', async () => {
    const { duckling, agent } = await make()
    const { beak_key } = await rotateKey(await duckling.context(), agent.agentId, 90)
    for (let use = 0; use < 3; use++) expect((await profile(agent.beakKey)).status).toBe(401)
    expect((await profile(beak_key)).status).toBe(200)
    expect(await refusals(duckling)).toMatchObject(Array(3).fill({ cause: 'revoked', key_id: agent.keyId }))
    const list = await call('GET /beak/agent/list', { token: duckling.token })
    expect(list.body.items[0].key.retired_key_uses).toBe(3)
  })

  it('that has expired is told to its owner, counted and shown', async () => {
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

  it('of a closed account is refused', async () => {
    const { duckling, agent } = await make()
    await db().duckling.update({ where: { id: duckling.id }, data: { deletedAt: new Date() } })
    expect((await profile(agent.beakKey)).status).toBe(401)
  })
})

describe('a key in the query string', () => {
  it('is refused where the owner has switched that off, and still good in a header', async () => {
    const { duckling, agent } = await make()
    await updateAgent(await duckling.context(), agent.agentId, { name: undefined, allowQueryKey: false })
    const answer = await call(`GET /beak/profile?beak_key=${agent.beakKey}`)
    expect([answer.status, answer.body.code]).toEqual([401, 'E4001'])
    expect(await refusals(duckling)).toMatchObject([{ cause: 'query_key_off' }])
    expect((await profile(agent.beakKey)).status).toBe(200)
  })

  it('does not bond, and its owner learns that it was tried', async () => {
    const { duckling, agent } = await make({ bonded: false })
    const answer = await call(`POST /beak/agent/bond?beak_key=${agent.beakKey}`, {
      body: { agent_id: agent.agentId, handshake_token: agent.handshakeToken },
    })
    expect([answer.status, answer.body.code]).toEqual([401, 'E4001'])
    expect(await refusals(duckling)).toMatchObject([{ cause: 'query_key_at_bond', key_id: agent.keyId }])
    const { status } = await db().agent.findUniqueOrThrow({ where: { id: agent.agentId } })
    expect(status).toBe('registered')
  })

  it('gives way to one in a header', async () => {
    const { duckling, agent } = await make()
    const other = await make()
    const answer = await call(`GET /beak/profile?beak_key=${other.agent.beakKey}`, { key: agent.beakKey })
    expect(answer.body.duckling_id).toBe(duckling.id)
  })
})

describe('a good key that may not', () => {
  it('call for an agent that has not bonded', async () => {
    const { agent } = await make({ bonded: false })
    const { status, body } = await profile(agent.beakKey)
    expect([status, body.code]).toEqual([403, 'E4007'])
  })

  it('call for a suspended agent, until that is resumed', async () => {
    const { duckling, agent } = await make()
    await suspendAgent(await duckling.context(), agent.agentId)
    const { status, body } = await profile(agent.beakKey)
    expect([status, body.code]).toEqual([403, 'E4007'])
    await resumeAgent(await duckling.context(), agent.agentId)
    expect((await profile(agent.beakKey)).status).toBe(200)
  })

  it('call without the capability, which is named', async () => {
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
  ])('call %s, which is for people', async (line) => {
    const { agent } = await make()
    const { status, body } = await call(line, { key: agent.beakKey })
    expect([status, body.code]).toEqual([403, 'E4007'])
  })

  it('stand in for a session that is not valid', async () => {
    const { agent } = await make()
    const { status, body } = await call('GET /beak/profile', { token: 'a.b.c', key: agent.beakKey })
    expect([status, body.code]).toEqual([401, 'E4006'])
  })
})
