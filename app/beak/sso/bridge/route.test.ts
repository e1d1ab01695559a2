import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { bridgeToken } from '@/lib/domain/sso/verify'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anotherSession } from '@/lib/fixtures/accounts'
import { anSsoToken, forgedToken } from '@/lib/fixtures/sso'
import { verifyToken } from '@/lib/infrastructure/keys/tokens'
import { config, useConfig } from '@/lib/kernel/config'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

const target = 'shop.example.com'

const bridge = ({ token }: ADuckling, sso_token: string, to = target) =>
  call('POST /beak/sso/bridge', { token, body: { sso_token, target: to } })

const events = (duckling: ADuckling) =>
  db().auditEvent.findMany({
    where: { ducklingId: duckling.id, action: 'sso.bridged' },
    orderBy: { seq: 'asc' },
  })

describe('200', () => {
  it('returns an access token for the target only, valid for 15 minutes', async () => {
    const duckling = await aDuckling()
    const { status, body } = await bridge(duckling, await anSsoToken(duckling.context()))
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'Bearer', target, scope: 'login' })
    const now = readClock()
    const claims = await verifyToken('access', body.token, target, now)
    expect(claims).toEqual({
      iss: config().baseUrl,
      aud: target,
      sub: duckling.id,
      scope: 'login',
      iat: expect.any(Number),
      exp: Date.parse(body.expires_at) / 1000,
      jti: expect.any(String),
      amr: (await duckling.context()).caller.amr,
      auth_time: expect.any(Number),
      trust_tier: 'T1',
    })
    expect(Number(claims?.exp) - Number(claims?.iat)).toBe(900)
    expect(await verifyToken('access', body.token, 'other.example.com', now)).toBeNull()
    expect(await verifyToken('access', body.token, target, secondsAfter(now, 900))).toBeNull()
    expect(await events(duckling)).toMatchObject([
      { outcome: 'success', metadata: { target_domain: target } },
    ])
  })

  // security: site-12
  it('returns a token that this API refuses', async () => {
    const duckling = await aDuckling()
    const { body } = await bridge(duckling, await anSsoToken(duckling.context()))
    const answer = await call('GET /beak/profile', { token: body.token })
    expect([answer.status, answer.body.code]).toEqual([401, 'E4006'])
  })

  it('returns a token that this API refuses even when the target is its own host', async () => {
    const { baseUrl } = config()
    useConfig({ baseUrl: 'https://beak.example.com' })
    try {
      const duckling = await aDuckling()
      const { body } = await bridge(
        duckling,
        await anSsoToken(duckling.context(), 'beak.example.com'),
        'beak.example.com',
      )
      expect((await call('GET /beak/profile', { token: duckling.token })).status).toBe(200)
      expect((await call('GET /beak/profile', { token: body.token })).status).toBe(401)
    } finally {
      useConfig({ baseUrl })
    }
  })

  it('accepts the target in any notation', async () => {
    const duckling = await aDuckling()
    const { body } = await bridge(duckling, await anSsoToken(duckling.context()), 'Shop.Example.com.')
    expect(body.target).toBe(target)
  })

  // security: site-12, check-45
  it('spends the token: exactly one of 50 simultaneous calls succeeds', async () => {
    const duckling = await aDuckling()
    const sso = await anSsoToken(duckling.context())
    const answers = await Promise.all(Array.from({ length: 50 }, () => bridge(duckling, sso)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 401 && body.code === 'E4006')).toHaveLength(49)
    expect((await events(duckling)).filter(({ outcome }) => outcome === 'success')).toHaveLength(1)
  })

  it('exchanges a token of the operator’s agent, with at most the tier of the agent’s key', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    await db().duckling.update({ where: { id: duckling.id }, data: { trustTier: 'T2' } })
    const { body } = await bridge(duckling, await anSsoToken(agent.context()))
    const claims = await verifyToken('access', body.token, target, readClock())
    expect(claims).toMatchObject({
      sub: duckling.id,
      trust_tier: 'T1',
      amr: [],
      agent_id: agent.agentId,
    })
    expect(claims).not.toHaveProperty('auth_time')
  })

  // security: site-9
  it('says how the session that issued the token was proved, not the session that exchanges it', async () => {
    const owner = await aDuckling()
    const sso = await anSsoToken(owner.context())
    const [issuer] = await db().session.findMany({ where: { ducklingId: owner.id } })
    const passkey = await anotherSession(owner)
    await db().session.updateMany({
      where: { ducklingId: owner.id, id: { not: issuer?.id ?? '' } },
      data: { amr: ['pop', 'user'], passkeyAt: readClock(), authTime: secondsAfter(readClock(), 60) },
    })
    const { body } = await call('POST /beak/sso/bridge', { token: passkey, body: { sso_token: sso, target } })
    const claims = await verifyToken('access', body.token, target, readClock())
    expect(claims).toMatchObject({
      amr: issuer?.amr,
      auth_time: Math.floor(Number(issuer?.authTime) / 1000),
    })
  })
})

describe('400', () => {
  it.each([
    [{ target }, 'sso_token'],
    [{ sso_token: 'SSO-1' }, 'target'],
    [{ sso_token: 7, target }, 'sso_token'],
    [{ sso_token: 'SSO-1', target, scope: 'more' }, 'scope'],
  ])('names the invalid field in %j', async (body, field) => {
    const { token } = await aDuckling()
    const answer = await call('POST /beak/sso/bridge', { token, body })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field }])
  })
})

describe('401', () => {
  it('refuses an invalid token and records the attempt in the caller’s audit log', async () => {
    const duckling = await aDuckling()
    const sso = await anSsoToken(duckling.context())
    for (const text of [forgedToken(sso), sso.slice(0, 40), 'open sesame', ''])
      expect((await bridge(duckling, text)).body.code).toBe('E4006')
    expect((await events(duckling)).map(({ outcome }) => outcome)).toEqual(Array(4).fill('denied'))
    expect((await bridge(duckling, sso)).status).toBe(200)
    expect((await bridge(duckling, sso)).status).toBe(401)
  })

  it('refuses a token after five minutes', async () => {
    const duckling = await aDuckling()
    const sso = await anSsoToken(duckling.context())
    const context = await duckling.context()
    const late = { ...context, now: secondsAfter(context.now, 301) }
    await expect(bridgeToken(late, sso, target)).rejects.toMatchObject({ failure: 'sso_token_invalid' })
  })

  it('refuses a token whose session has ended, also from a later session', async () => {
    const duckling = await aDuckling()
    const sso = await anSsoToken(duckling.context())
    const { caller } = await duckling.context()
    await db().session.update({ where: { id: caller.sessionId }, data: { revokedAt: readClock() } })
    const later = { ...(await aDuckling().then(({ context }) => context())), caller }
    await expect(bridgeToken(later, sso, target)).rejects.toMatchObject({ failure: 'sso_token_invalid' })
  })
})

describe('403', () => {
  it('refuses the token of another duckling, does not spend it, and records nothing for its owner', async () => {
    const [owner, thief] = [await aDuckling(), await aDuckling()]
    const sso = await anSsoToken(owner.context())
    const { status, body } = await bridge(thief, sso)
    expect([status, body.code]).toEqual([403, 'E4007'])
    expect(await events(owner)).toEqual([])
    expect(await events(thief)).toMatchObject([
      { outcome: 'denied', metadata: { failure: 'sso_token_mismatch' } },
    ])
    expect((await bridge(owner, sso)).status).toBe(200)
  })

  it.each(['other.example.com', 'example.com', 'https://shop.example.com', ''])(
    'refuses the target %j and does not spend the token',
    async (to) => {
      const duckling = await aDuckling()
      const sso = await anSsoToken(duckling.context())
      const { status, body } = await bridge(duckling, sso, to)
      expect([status, body.code]).toEqual([403, 'E4007'])
      expect((await bridge(duckling, sso)).status).toBe(200)
    },
  )
})
