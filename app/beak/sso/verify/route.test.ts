import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { resumeAgent, suspendAgent } from '@/lib/domain/agents/suspend'
import { deleteExpiredTokens } from '@/lib/domain/sso/issue'
import { bridgeToken, verifyToken } from '@/lib/domain/sso/verify'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, anonymously } from '@/lib/factories/ducklings'
import { anSsoToken, forgedToken } from '@/lib/fixtures/sso'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

const verify = (token: string, domain?: string) =>
  call(`GET /beak/sso/verify?${new URLSearchParams({ token, ...(domain === undefined ? {} : { domain }) })}`)

const rowId = (token: string) => token.slice(0, 30)
const inactive = { active: false }

describe('200 for a valid token', () => {
  it('returns the owner at every call', async () => {
    const duckling = await aDuckling({ tier: 'T2' })
    const token = await anSsoToken(duckling.context())
    for (let time = 0; time < 3; time++) {
      const { status, body, headers } = await verify(token, 'shop.example.com')
      expect(status).toBe(200)
      expect(body).toEqual({
        active: true,
        duckling_id: duckling.id,
        display_name: duckling.displayName,
        trust_tier: 'T2',
        target_domain: 'shop.example.com',
        scope: 'login',
        issued_at: expect.stringMatching(/Z$/),
        expires_at: expect.stringMatching(/Z$/),
        amr: [],
        auth_time: expect.stringMatching(/Z$/),
      })
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  it('needs no domain, and accepts it in any notation', async () => {
    const token = await anSsoToken((await aDuckling()).context())
    for (const domain of [undefined, 'SHOP.example.com', 'shop.example.com.'])
      expect((await verify(token, domain)).body.active).toBe(true)
  })

  // security: D4
  it('accepts the token in the body, which proxies do not log', async () => {
    const duckling = await aDuckling()
    const token = await anSsoToken(duckling.context())
    const good = await call('POST /beak/sso/verify', { body: { token, domain: 'shop.example.com' } })
    expect(good.body).toMatchObject({ active: true, duckling_id: duckling.id })
    const other = await call('POST /beak/sso/verify', { body: { token, domain: 'other.example.com' } })
    expect([other.status, other.body]).toEqual([200, inactive])
  })

  it('names the agent that issued it, with at most the tier of its key', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    await db().duckling.update({ where: { id: duckling.id }, data: { trustTier: 'T3' } })
    const { body } = await verify(await anSsoToken(agent.context()))
    expect(body).toMatchObject({ active: true, agent_id: agent.agentId, trust_tier: 'T1' })
  })

  // security: site-9
  it('says that a passkey confirmed the session, and when, and that no person was there for an agent', async () => {
    const owner = await aDuckling()
    const agent = await anAgent(owner)
    const session = await db().session.findFirstOrThrow({ where: { ducklingId: owner.id } })
    const proofOf = async (token: string) => {
      const { amr, auth_time } = (await verify(token)).body
      return [amr, auth_time]
    }
    const token = await anSsoToken(owner.context())
    expect(await proofOf(token)).toEqual([session.amr, session.authTime.toISOString()])
    const passkeyAt = secondsAfter(readClock(), -60)
    await db().session.update({ where: { id: session.id }, data: { passkeyAt, amr: ['device'] } })
    expect(await proofOf(token)).toEqual([['device', 'pop', 'user'], passkeyAt.toISOString()])
    expect(await proofOf(await anSsoToken(agent.context()))).toEqual([[], null])
  })
})

describe('200 with only {active: false}', () => {
  it('for an unknown, wrong or malformed token', async () => {
    const token = await anSsoToken((await aDuckling()).context())
    const unknown = `SSO-${'0'.repeat(26)}${token.slice(30)}`
    for (const text of [
      forgedToken(token),
      unknown,
      token.slice(0, -1),
      `${token}0`,
      token.toLowerCase(),
      'x',
      '',
    ])
      expect([text, (await verify(text)).body]).toEqual([text, inactive])
  })

  it.each([
    'other.example.com',
    'example.com',
    'evil.shop.example.com',
    'https://shop.example.com',
    '127.0.0.1',
    '',
  ])('for the other domain %j', async (domain) => {
    const token = await anSsoToken((await aDuckling()).context())
    expect((await verify(token, domain)).body).toEqual(inactive)
  })

  it('after five minutes', async () => {
    const token = await anSsoToken((await aDuckling()).context())
    const { expiresAt } = await db().ssoToken.findUniqueOrThrow({ where: { id: rowId(token) } })
    const at = (now: Date) => verifyToken(anonymously(now), token, undefined)
    expect(await at(new Date(expiresAt.getTime() - 1))).toMatchObject({ active: true })
    expect(await at(expiresAt)).toEqual(inactive)
  })

  it('after the token was spent', async () => {
    const duckling = await aDuckling()
    const token = await anSsoToken(duckling.context())
    await bridgeToken(await duckling.context(), token, 'shop.example.com')
    expect((await verify(token)).body).toEqual(inactive)
  })

  it('when the session that issued it has ended', async () => {
    const duckling = await aDuckling()
    const token = await anSsoToken(duckling.context())
    await call('POST /beak/signout', { token: duckling.token })
    expect((await verify(token)).body).toEqual(inactive)
  })

  it('when the session, or the key of the agent, that issued it has expired', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    const [bySession, byAgent] = [await anSsoToken(duckling.context()), await anSsoToken(agent.context())]
    const end = { expiresAt: readClock() }
    await db().session.updateMany({ where: { ducklingId: duckling.id }, data: end })
    expect((await verify(bySession)).body).toEqual(inactive)
    expect((await verify(byAgent)).body.active).toBe(true)
    await db().beakKey.update({ where: { id: agent.keyId }, data: end })
    expect((await verify(byAgent)).body).toEqual(inactive)
  })

  it('while the agent that issued it is suspended', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    const token = await anSsoToken(agent.context())
    await suspendAgent(await duckling.context(), agent.agentId)
    expect((await verify(token)).body).toEqual(inactive)
    await resumeAgent(await duckling.context(), agent.agentId)
    expect((await verify(token)).body.active).toBe(true)
  })

  // security: agent-12
  it('when the key of the agent that issued it was replaced', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    const token = await anSsoToken(agent.context())
    const body = { agent_id: agent.agentId }
    const rotated = await call('POST /beak/key/rotate', { token: duckling.token, body })
    expect(rotated.status).toBe(200)
    expect((await verify(token)).body).toEqual(inactive)
    const issue = { target_domain: 'shop.example.com', scope: 'login' }
    const next = await call('POST /beak/sso/issue', { key: rotated.body.beak_key, body: issue })
    expect((await verify(next.body.sso_token)).body.active).toBe(true)
  })

  it('when the account is closed', async () => {
    const duckling = await aDuckling()
    const token = await anSsoToken(duckling.context())
    await db().duckling.update({ where: { id: duckling.id }, data: { deletedAt: readClock() } })
    expect((await verify(token)).body).toEqual(inactive)
  })
})

describe('400', () => {
  it.each(['', '?domain=shop.example.com', '?token=a&token=b', '?token=a&scope=b'])(
    'names the invalid field in %j',
    async (query) => {
      const answer = await call(`GET /beak/sso/verify${query}`)
      expect([answer.status, answer.body.code]).toEqual([400, 'E4000'])
      expect(answer.body.errors).toHaveLength(1)
    },
  )

  it('names a missing token in the body', async () => {
    const { status, body } = await call('POST /beak/sso/verify', { body: {} })
    expect([status, body.errors[0].field]).toEqual([400, 'token'])
  })
})

describe('deleteExpiredTokens', () => {
  it('deletes tokens a day after they expired, not before', async () => {
    const duckling = await aDuckling()
    const [old, recent] = [await anSsoToken(duckling.context()), await anSsoToken(duckling.context())]
    const now = readClock()
    await db().ssoToken.update({
      where: { id: rowId(old) },
      data: { expiresAt: secondsAfter(now, -day - 1) },
    })
    await db().ssoToken.update({ where: { id: rowId(recent) }, data: { expiresAt: secondsAfter(now, -1) } })
    await deleteExpiredTokens(now)
    const left = await db().ssoToken.findMany({ where: { ducklingId: duckling.id } })
    expect(left.map(({ id }) => id)).toEqual([rowId(recent)])
  })
})
