/**
 * Every secret the service gives or takes, followed through: none stands in any table in clear, and none comes back in any
 * later answer. (That none is logged is tested on the running process, in e2e.)
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { aDuckling, randomEmail } from '@/lib/fixtures/ducklings'
import { codeFor, sentTo } from '@/lib/fixtures/outbox'
import { type CallOptions, call } from './call'

const password = `canary ${randomEmail()}`
const secrets = new Map<string, string>()
let token = ''
let key = ''

/** Keeps a secret under its name, and insists that there is one. */
function mark(name: string, secret: unknown): string {
  expect(secret, name).toEqual(expect.stringMatching(/.{6}/))
  secrets.set(name, String(secret))
  return String(secret)
}

async function ok(line: string, options: CallOptions) {
  const answer = await call(line, options)
  expect([line, answer.status]).toEqual([line, 200])
  return answer.body
}

beforeAll(async () => {
  const email = randomEmail()
  token = mark(
    'session token of sign-up',
    (await ok('POST /beak/signup', { body: { email, password } })).token,
  )
  const otp = mark('code', await codeFor(email))
  mark('session token of sign-in', (await ok('POST /beak/signin', { body: { email, otp } })).token)
  mark('session token by password', (await ok('POST /beak/signin', { body: { email, password } })).token)
  await call('POST /beak/signin', { body: { email, password: `${password}!` } })
  mark('wrong password', `${password}!`)
  mark('password', password)
  await ok('POST /beak/verify-email', { token, body: { otp } })

  const agent = await ok('POST /beak/agent/register', {
    token,
    body: {
      agent_name: 'Canary',
      agent_type: 'assistant',
      capabilities: ['read:profile', 'request:peck', 'read:peck'],
    },
  })
  const { agent_id } = agent
  mark('first beak key', agent.beak_key)
  mark('first handshake token', agent.handshake_token)
  const rotated = await ok('POST /beak/key/rotate', { token, body: { agent_id } })
  key = mark('beak key', rotated.beak_key)
  await call('GET /beak/profile', { key: agent.beak_key })
  const handshake_token = mark('handshake token', rotated.handshake_token)
  await ok('POST /beak/agent/bond', { key, body: { agent_id, handshake_token } })
  mark('agent token', (await ok('POST /beak/agent/token', { key, body: { audience: 'shop.example' } })).token)

  const { webhook_id, secret } = await ok('POST /beak/webhook/create', {
    token,
    body: { url: 'http://127.0.0.1:9/canary' },
  })
  mark('webhook secret', secret)
  mark(
    'rotated webhook secret',
    (await ok('POST /beak/webhook/rotate-secret', { token, body: { webhook_id } })).secret,
  )
  await ok('POST /beak/webhook/test', { token, body: { webhook_id } })

  const { sso_token } = await ok('POST /beak/sso/issue', {
    token,
    body: { target_domain: 'shop.example', scope: 'profile' },
  })
  mark('SSO token', sso_token)
  mark(
    'bridged token',
    (await ok('POST /beak/sso/bridge', { token, body: { sso_token, target: 'shop.example' } })).token,
  )

  const other = await aDuckling()
  const { peck_id } = await ok('POST /beak/peck/request', {
    key,
    body: { target_duckling_id: other.id, action: 'read:nest', scope: 'limited' },
  })
  await ok('POST /beak/peck/approve', { token: other.token, body: { peck_id } })
  const { grant_token } = await ok(`GET /beak/peck/status?peck_id=${peck_id}`, { key })
  mark('grant token', grant_token)
  await ok('POST /beak/peck/consume', { body: { grant_token } })

  const reader = randomEmail()
  await ok('POST /beak/newsletter/subscribe', { body: { email: reader } })
  const [, newsletter] = /token=([\w%-]+)/.exec((await sentTo(reader))[0]?.text ?? '') ?? []
  mark('newsletter token', decodeURIComponent(newsletter ?? ''))
}, 60_000)

/** The part of a secret that is secret: of a JWT its signature, of an id with a secret the secret. */
function heart(secret: string): string {
  return secret.split('.').length === 3
    ? (secret.split('.')[2] ?? secret)
    : secret.slice(-Math.min(secret.length, 40))
}

describe('a secret', () => {
  it('stands in no column of no table, in clear or as bytes', async () => {
    const tables = await db().$queryRaw<{ name: string }[]>`
      SELECT table_name::text AS "name" FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`
    expect(tables.length).toBeGreaterThan(20)
    // Six digits turn up by chance in times and numbers: the code is looked for where texts and bytes are kept.
    const dump = (
      await Promise.all(
        tables.map(({ name }) =>
          db().$queryRawUnsafe<{ row: string }[]>(
            `SELECT to_jsonb(t)::text AS "row" FROM "${name.replaceAll('"', '')}" t`,
          ),
        ),
      )
    )
      .flat()
      .map(({ row }) => row)
      .join('\n')
    for (const [name, secret] of secrets) {
      if (name === 'code') continue
      const core = heart(secret)
      expect(dump.includes(core), name).toBe(false)
      expect(dump.includes(Buffer.from(core).toString('hex')), `${name} as bytes`).toBe(false)
    }
    const code = secrets.get('code') ?? ''
    const kept = await db().otpCode.findMany({ where: { codeHash: { not: null } } })
    expect(kept.length).toBeGreaterThan(0)
    for (const row of kept) expect(Buffer.from(row.codeHash ?? []).toString('latin1')).not.toContain(code)
    expect(await db().outbox.count({ where: { payload: { string_contains: code } } })).toBe(0)
  })

  it.each([
    'GET /beak/profile',
    'GET /beak/agent/list',
    'GET /beak/session/list',
    'GET /beak/passkey/list',
    'GET /beak/webhook/list',
    'GET /beak/webhook/deliveries',
    'GET /beak/audit?limit=1000',
    'GET /beak/audit/head',
    'GET /beak/peck/history',
    'GET /beak/account/export',
  ])('does not come back from %s', async (line) => {
    const { status, body } = await call(line, { token })
    expect(status).toBe(200)
    const text = JSON.stringify(body)
    for (const [name, secret] of secrets) {
      if (name !== 'code') expect(text.includes(heart(secret)), name).toBe(false)
    }
  })

  it('comes back to the agent that asked only as the grant it may use', async () => {
    const { body } = await call('GET /beak/peck/history', { key })
    const text = JSON.stringify(body)
    for (const [name, secret] of secrets) {
      if (name !== 'code') expect(text.includes(heart(secret)), name).toBe(false)
    }
  })
})
