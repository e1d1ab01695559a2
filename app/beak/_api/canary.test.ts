/**
 * Follows every secret that the service issues or receives: no table contains it as plain text, and no later answer returns it. (A
 * test in e2e checks the log of the running process.)
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { db, Prisma } from '@/lib/db/client'
import { createByHost } from '@/lib/domain/identity/create-by-host'
import { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { randomPhone } from '@/lib/fixtures/accounts'
import { readClock } from '@/lib/kernel/runtime/clock'
import { type Answer, type CallOptions, call } from './call'

const password = `canary ${randomEmail()}`
const secrets = new Map<string, string>()
/** Codes have only six digits and appear in longer numbers by chance, so they are searched as separate words. */
const codes = new Map<string, string>()
/** The endpoints that were called successfully. */
const called = new Set<string>()
let token = ''
let key = ''
/** What the history of the agent answered while the agent worked. */
let agentHistory: Answer['body']
let other: ADuckling

/** Remembers the code that was sent to an address. */
async function markCode(name: string, address: string): Promise<string> {
  const code = await codeFor(address)
  codes.set(name, code)
  return code
}

/** Remembers a secret by its name. Fails when the secret is missing. */
function mark(name: string, secret: unknown): string {
  expect(secret, name).toEqual(expect.stringMatching(/.{6}/))
  secrets.set(name, String(secret))
  return String(secret)
}

/** Sends an idempotency key too, so that the answers that are stored for repeats are searched as well. */
async function ok(line: string, options: CallOptions) {
  const headers = { ...options.headers, 'Idempotency-Key': randomUUID() }
  const answer = await call(line, { ...options, headers })
  expect([line, answer.status, answer.body.detail]).toEqual([line, 200, undefined])
  called.add(line.split('?')[0] ?? '')
  return answer.body
}

beforeAll(async () => {
  const email = randomEmail()
  token = mark(
    'session token of sign-up',
    (await ok('POST /beak/signup', { body: { email, password } })).token,
  )
  const otp = await markCode('sign-up code', email)
  mark('session token by password', (await ok('POST /beak/signin', { body: { email, password } })).token)
  await call('POST /beak/signin', { body: { email, password: `${password}!` } })
  mark('wrong password', `${password}!`)
  mark('password', password)
  // This sign-in verifies the address for the first time, which ends all other sessions.
  const signedIn = await ok('POST /beak/signin', { body: { email, otp } })
  token = mark('session token of sign-in', signedIn.token)
  mark('device token', signedIn.device_token)
  await ok('POST /beak/verify-email/resend', { token })
  await ok('POST /beak/verify-email', {
    token,
    body: { otp: await markCode('verification code', email) },
  })
  await ok('POST /beak/signin/otp', { body: { email, device_token: signedIn.device_token } })
  await markCode('sign-in code', email)
  const new_email = randomEmail()
  await ok('POST /beak/email-change', { token, body: { new_email } })
  await ok('POST /beak/email-change', {
    token,
    body: { new_email, otp: await markCode('email change code', new_email) },
  })
  const phone = randomPhone()
  await ok('PUT /beak/trust/elevate', { token, body: { phone } })
  await ok('PUT /beak/trust/elevate', { token, body: { otp: await markCode('phone code', phone) } })
  await addPasskey()
  // From here on sensitive changes need a passkey proof.
  token = await signInWithPasskey()

  const codes = await ok('POST /beak/device/authorize', { body: { client_name: 'canary' } })
  mark('user code', codes.user_code)
  const device_code = mark('device code', codes.device_code)
  await ok('POST /beak/device/approve', { token, body: { user_code: codes.user_code } })
  mark('session token of a device', (await ok('POST /beak/device/token', { body: { device_code } })).token)

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
  mark(
    'renewed handshake token',
    (await ok('POST /beak/agent/handshake', { token, body: { agent_id } })).handshake_token,
  )
  mark('first handshake token', agent.handshake_token)
  const rotated = await ok('POST /beak/key/rotate', { token, body: { agent_id } })
  key = mark('beak key', rotated.beak_key)
  await call('GET /beak/profile', { key: agent.beak_key })
  await call(`GET /beak/profile?beak_key=${agent.beak_key}`)
  const handshake_token = mark('handshake token', rotated.handshake_token)
  await call('POST /beak/agent/bond', {
    key,
    body: { agent_id, handshake_token: secrets.get('first handshake token') },
  })
  await ok('POST /beak/agent/bond', { key, body: { agent_id, handshake_token } })
  await ok(`GET /beak/profile?beak_key=${key}`, {})
  await ok('POST /beak/agent/test-request', { token, body: { agent_id } })
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
  // The list shows the link until its end.
  const { invitation_id, url } = await ok('POST /beak/invitation/create', { token, body: {} })
  const invitation = mark('invitation token', url.slice(-26))
  await ok(`GET /beak/invitation/view?token=${invitation}`, {})
  await ok('POST /beak/invitation/revoke', { token, body: { invitation_id } })
  await ok('POST /beak/webhook/test', { token, body: { webhook_id } })

  const address = mark('address of a channel', `hook-${randomUUID()}`)
  const added = await ok('POST /beak/channel/add', {
    token,
    body: { kind: 'webhook', url: `http://127.0.0.1:9/${address}` },
  })
  mark('secret of a channel', added.secret)
  await call('POST /beak/channel/test', { token, body: { channel_id: added.channel_id } })

  const { sso_token } = await ok('POST /beak/sso/issue', {
    token,
    body: { target_domain: 'shop.example', scope: 'profile' },
  })
  mark('SSO token', sso_token)
  await ok(`GET /beak/sso/verify?token=${sso_token}`, {})
  await ok('POST /beak/sso/verify', { body: { token: sso_token } })
  await ok('POST /beak/pageview', {
    body: { page: `/here?token=${sso_token}`, referrer: `https://there.example/?beak_key=${key}` },
  })
  mark(
    'bridged token',
    (await ok('POST /beak/sso/bridge', { token, body: { sso_token, target: 'shop.example' } })).token,
  )

  other = await aDuckling()
  await ok('POST /beak/webhook/create', { token: other.token, body: { url: 'http://127.0.0.1:9/canary' } })
  await useGrant('grant token', 'read:nest', async (grant_token) => {
    await ok('POST /beak/peck/check', { body: { grant_token } })
    return ok('POST /beak/peck/consume', { body: { grant_token } })
  })
  await useGrant('grant token for a profile', 'read:profile', (grant) =>
    ok('GET /beak/profile', { key, headers: { 'X-Peck-Grant': grant } }),
  )
  await useGrant('grant token of a live grant', 'read:eggs', () => Promise.resolve())
  for (const answer of ['reject', 'cancel']) {
    const { peck_id } = await ask(`read:${answer}ed`)
    const body = answer === 'reject' ? { peck_id, reason: 'No.' } : { peck_id }
    if (answer === 'reject') {
      const until = new Date(Date.now() + 3_600_000).toISOString()
      await ok('POST /beak/peck/snooze', { token: other.token, body: { peck_id, until } })
      await ok('POST /beak/peck/reject', { token: other.token, body: { ...body, undo_seconds: 10 } })
      await ok('POST /beak/peck/undo', { token: other.token, body: { peck_id } })
    }
    await ok(`POST /beak/peck/${answer}`, { token: answer === 'reject' ? other.token : token, body })
  }
  await useGrant('grant token of a revoked grant', 'read:revoked', (_grant, peck_id) =>
    ok('POST /beak/peck/revoke', { token: other.token, body: { peck_id } }),
  )

  const reader = randomEmail()
  await ok('POST /beak/newsletter/subscribe', { body: { email: reader } })
  const [, newsletter] = /token=([\w%-]+)/.exec((await sentTo(reader))[0]?.text ?? '') ?? []
  const link = { token: mark('newsletter token', decodeURIComponent(newsletter ?? '')) }
  await ok('POST /beak/newsletter/confirm', { body: link })
  await ok('POST /beak/newsletter/unsubscribe', { body: link })
  const made = await createByHost({ email: randomEmail(), fullName: undefined }, readClock())
  const signInLink = mark('link of the host', new URL(made?.link ?? '').searchParams.get('token'))
  const byLink = await ok('POST /beak/signin/link', { body: { token: signInLink } })
  mark('session token by link', byLink.token)
  mark('device token by link', byLink.device_token)
  // The undo of the change suspends the agent.
  agentHistory = await ok('GET /beak/peck/history', { key })
  await useMailedLinks(email, new_email)
}, 60_000)

/** Uses the links that end a session, cancel a recovery and undo a change of address. Undoing the change ends all sessions, so it comes last. */
async function useMailedLinks(oldEmail: string, newEmail: string): Promise<void> {
  await signInByCode(newEmail)
  const disown = await markLink('link that ends a session', newEmail, 'not-me')
  await ok('POST /beak/session/disown', { body: { token: disown } })
  await ok('POST /beak/passkey/recover', { token: await signInByCode(newEmail) })
  const keep = await markLink('link that keeps passkeys', newEmail)
  await ok('POST /beak/passkey/recover/cancel', { body: { token: keep } })
  const undo = await markLink('link that undoes the change', oldEmail, 'email-undo')
  await ok('POST /beak/email-change/undo', { body: { token: undo } })
  token = await signInByCode(oldEmail)
}

async function signInByCode(email: string): Promise<string> {
  await ok('POST /beak/signin/otp', { body: { email } })
  const otp = await markCode(`sign-in code for ${email}`, email)
  const { token: session } = await ok('POST /beak/signin', { body: { email, otp } })
  return mark(`session token by code for ${email}`, session)
}

/** Remembers the token in the newest link to a page that was mailed to an address. */
async function markLink(name: string, address: string, page = 'keep-passkeys'): Promise<string> {
  const texts = (await sentTo(address)).map(({ text }) => text)
  const found = texts.findLast((text) => text.includes(`/${page}?token=`))
  return mark(name, new RegExp(`/${page}\\?token=([\\w-]+)`).exec(found ?? '')?.[1])
}

const authenticator = new Authenticator()

async function addPasskey(): Promise<void> {
  const credential = authenticator.create(await ok('POST /beak/passkey/register', { token }))
  await ok('POST /beak/passkey/register/verify', { token, body: { credential } })
}

async function signInWithPasskey(): Promise<string> {
  const assertion = authenticator.get(await ok('POST /beak/passkey/login/options', {}))
  const { token: session } = await ok('POST /beak/passkey/login', { body: { credential: assertion } })
  return mark('session token by passkey', session)
}

function ask(action: string) {
  const body = { target_duckling_id: other.id, action, scope: 'limited' }
  return ok('POST /beak/peck/request', { key, body })
}

/** The agent sends a peck, the other duckling approves it, and the grant is used. */
async function useGrant(
  name: string,
  action: string,
  use: (grant: string, peckId: string) => Promise<unknown>,
): Promise<void> {
  const { peck_id } = await ask(action)
  await ok('POST /beak/peck/approve', { token: other.token, body: { peck_id } })
  const { grant_token } = await ok(`GET /beak/peck/status?peck_id=${peck_id}`, { key })
  await use(mark(name, grant_token), peck_id)
}

/** Returns the secret part of a token: the signature of a JWT, otherwise the last 40 characters. */
function secretPart(secret: string): string {
  return secret.split('.').length === 3
    ? (secret.split('.')[2] ?? secret)
    : secret.slice(-Math.min(secret.length, 40))
}

/** Returns the name of a code that the text contains as a separate word, or null. */
function findCode(text: string): string | null {
  const found = [...codes].find(([, code]) => new RegExp(`(?<![\\w.:-])${code}(?![\\w-])`).test(text))
  return found?.[0] ?? null
}

/** Returns the forms in which the dump of a table could contain a secret. */
function formsOf(secret: string): string[] {
  const core = secretPart(secret)
  const bytes = secret.startsWith('whsec_') ? [Buffer.from(secret.slice(6), 'base64').toString('hex')] : []
  return [core, Buffer.from(core).toString('hex'), ...bytes]
}

/** Returns the names of the secrets that an answer contains. */
function leaksIn(body: unknown): string[] {
  const text = JSON.stringify(body)
  const leaks = [...secrets].filter(([, secret]) => text.includes(secretPart(secret))).map(([name]) => name)
  const code = findCode(text)
  return code === null ? leaks : [...leaks, code]
}

const lists = [
  'GET /beak/profile',
  'GET /beak/agent/list?include=deregistered',
  'GET /beak/agent/activity',
  'GET /beak/session/list',
  'GET /beak/cert/list',
  'GET /beak/passkey/list',
  'GET /beak/webhook/list',
  'GET /beak/webhook/deliveries',
  'GET /beak/channel/list',
  'GET /beak/audit?limit=1000',
  'GET /beak/audit/head',
  'GET /beak/peck/history',
  'GET /beak/spaceducks',
  'GET /beak/account/export',
]

describe('a secret', () => {
  // security: backup-1, check-2
  it('is in no column of any table, as text or as bytes', async () => {
    const tables = await db().rows<{ name: string }>`
      SELECT table_name::text AS "name" FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`
    expect(tables.length).toBeGreaterThan(20)
    expect(await db().idempotencyKey.count({ where: { answer: { not: null } } })).toBeGreaterThan(20)
    for (const { name: table } of tables) {
      const rows = await db().rows<{ row: string }>`
        SELECT to_jsonb(t)::text AS "row" FROM ${Prisma.raw(`"${table}"`)} t`
      const dump = rows.map(({ row }) => row).join('\n')
      for (const [name, secret] of secrets)
        for (const form of formsOf(secret)) expect(dump.includes(form), `${name} in ${table}`).toBe(false)
      expect(findCode(dump), table).toBeNull()
    }
  })

  it.each(lists)('is not returned by %s', async (line) => {
    expect(leaksIn(await ok(line, { token }))).toEqual([])
  })

  it.each(lists)('is not returned to the other duckling by %s', async (line) => {
    expect(leaksIn(await ok(line, { token: other.token }))).toEqual([])
  })

  it('is returned to the agent only when it is the token of an active grant', async () => {
    expect(leaksIn(agentHistory)).toEqual(['grant token of a live grant'])
    const granted = agentHistory.items.filter(
      (peck: { grant_token?: string }) => peck.grant_token !== undefined,
    )
    expect(granted.map((peck: { action: string }) => peck.action)).toEqual(['read:eggs'])
  })

  it('was followed from every endpoint that receives or returns one', async () => {
    const secretField = /^(token|\w+_token|beak_key|secret|otp|password)$/
    const { body: reference } = await call('GET /beak/openapi.json')
    const holders = Object.entries<object>(reference.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, operation]) => fieldsOf(operation, reference).some((name) => secretField.test(name)))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    )
    expect(holders.length).toBeGreaterThan(15)
    expect(holders.filter((line) => !called.has(line))).toEqual([])
  })
})

/** Returns the names of parameters and fields of an operation in the API reference. */
function fieldsOf(node: unknown, reference: { components: { schemas: Record<string, unknown> } }): string[] {
  if (Array.isArray(node)) return node.flatMap((item) => fieldsOf(item, reference))
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) => [
    ...(name === '$ref' ? fieldsOf(reference.components.schemas[value.split('/').at(-1)], reference) : []),
    ...(name === 'properties' ? Object.keys(value) : []),
    ...(name === 'name' && typeof value === 'string' ? [value] : []),
    ...fieldsOf(value, reference),
  ])
}
