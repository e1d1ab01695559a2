import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { driftOf } from '@/lib/fixtures/statements'
import { sha256 } from '@/lib/kernel/secrets/secrets'

const valid = { target_domain: 'shop.example.com', scope: 'login read:profile' }

const issue = ({ token }: Pick<ADuckling, 'token'>, change: object = {}) =>
  call('POST /beak/sso/issue', { token, body: { ...valid, ...change } })

describe('200', () => {
  it('returns a token for one domain that is valid for five minutes, and stores only its digest', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    const started = Date.now()
    const { status, body } = await issue(duckling)
    expect(status).toBe(200)
    expect(body).toEqual({
      sso_token: expect.stringMatching(/^SSO-[0-9A-Z]{78}$/),
      ...valid,
      expires_at: expect.any(String),
    })
    const lifetime = (Date.parse(body.expires_at) - started) / 1000
    expect(lifetime).toBeGreaterThanOrEqual(300)
    expect(lifetime).toBeLessThan(310)
    const id = body.sso_token.slice(0, 30)
    const secret = body.sso_token.slice(30)
    const row = await db().ssoToken.findUniqueOrThrow({ where: { id } })
    expect(Buffer.from(row.secretHash)).toEqual(sha256(secret))
    const events = await db().auditEvent.findMany({
      where: { ducklingId: duckling.id, action: 'sso.issued' },
    })
    expect(events).toMatchObject([{ outcome: 'success', targets: [{ type: 'sso_token', id }] }])
    expect(JSON.stringify(events)).not.toContain(secret)
  })

  it.each([
    ['Shop.EXAMPLE.com', 'shop.example.com'],
    ['shop.example.com.', 'shop.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('normalizes %s to %s', async (given, known) => {
    const { body } = await issue(await aDuckling(), { target_domain: given })
    expect(body.target_domain).toBe(known)
  })

  it('issues a token to an agent with the capability and records the agent as the actor', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { capabilities: ['issue:sso'] })
    const { status } = await call('POST /beak/sso/issue', { key: agent.beakKey, body: valid })
    expect(status).toBe(200)
    expect(
      await db().auditEvent.findMany({ where: { ducklingId: duckling.id, action: 'sso.issued' } }),
    ).toMatchObject([{ actorType: 'agent', actorId: agent.agentId }])
  })

  it('counts a domain once when 20 tokens are issued for it at the same time', async () => {
    const duckling = await aDuckling()
    const domain = `${randomEmail().split('@')[0]}.example`
    const before = await driftOf('domains')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => issue(duckling, { target_domain: domain })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(await driftOf('domains')).toBe(before)
    expect(await db().ssoDomain.findUnique({ where: { domain } })).not.toBeNull()
  })
})

describe('400', () => {
  it.each([
    'https://shop.example.com',
    'shop.example.com:443',
    'shop.example.com/path',
    'user@shop.example.com',
    'localhost',
    'app.localhost',
    'shop',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '::1',
    'shop..example.com',
    'shop.example.com..',
    'shop%2eexample.com',
    'shop\n.example.com',
    '*.example.com',
    `${'a'.repeat(64)}.example`,
    '',
    7,
  ])('refuses %j as target_domain', async (target_domain) => {
    const answer = await issue(await aDuckling(), { target_domain })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field: 'target_domain' }])
  })

  it.each([
    '',
    ' login',
    'login  mail',
    'log"in',
    'log\tin',
    'x'.repeat(65),
    Array(11).fill('a').join(' '),
    ['login'],
  ])('refuses %j as scope', async (scope) => {
    const answer = await issue(await aDuckling(), { scope })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field: 'scope' }])
  })

  it('accepts ten words of 64 characters', async () => {
    const scope = Array(10).fill('x'.repeat(64)).join(' ')
    expect((await issue(await aDuckling(), { scope })).body.scope).toBe(scope)
    expect((await issue(await aDuckling(), { scope: 'OpenID user+mail' })).body.scope).toBe(
      'OpenID user+mail',
    )
  })
})
