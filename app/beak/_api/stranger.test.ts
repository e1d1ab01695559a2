/**
 * What a stranger must not tell apart: something that belongs to somebody else and something that does not exist, a dead credential and one
 * that never was. The whole answers are compared, so that no member of a problem document, such as `reason`, tells more than the others.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { anotherSession } from '@/lib/fixtures/accounts'
import { aChannel } from '@/lib/fixtures/channels'
import { anSsoToken, forgedToken } from '@/lib/fixtures/sso'
import { deadKeys } from '@/lib/fixtures/stolen-keys'
import { aWebhook, elevate } from '@/lib/fixtures/webhooks'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { type Answer, type CallOptions, call } from './call'

/** Returns what a stranger sees of a refusal. Only the id of the request may differ. */
function seen({ status, body, headers }: Answer) {
  const { request_id: _, ...problem } = body
  return { status, problem, challenge: headers.get('www-authenticate') }
}

/** Expects refusals that differ in nothing, and returns their reason. */
async function reasonOfEqual(answers: Promise<Answer>[]): Promise<string> {
  const [first, ...others] = (await Promise.all(answers)).map(seen)
  expect(first?.status).toBeGreaterThanOrEqual(400)
  for (const other of others) expect(other).toEqual(first)
  return first?.problem.reason
}

let owner: ADuckling
let stranger: ADuckling
let agent: AnAgent

beforeAll(async () => {
  owner = await aDuckling({ tier: 'T2' })
  stranger = await aDuckling({ tier: 'T2' })
  agent = await anAgent(owner, { bonded: false })
})

/** Calls an endpoint as the stranger, with the id as a query parameter or in the body. */
function ask(line: string, name: string, id: string, more: object = {}): Promise<Answer> {
  const { token } = stranger
  return line.startsWith('GET')
    ? call(`${line}?${new URLSearchParams({ [name]: id, ...more })}`, { token })
    : call(line, { token, body: { [name]: id, ...more } })
}

/**
 * Calls an endpoint as the stranger with ids of things that are not the stranger's. Expects 404 for all of them, without a difference, each
 * attempt at a change in the audit log of the stranger, and the rows of the things as they were.
 */
async function expectUnknown(
  line: string,
  [name, ids]: [name: string, ids: string[]],
  reason: string,
  { more = {}, rows }: { more?: object; rows?: () => Promise<unknown> } = {},
): Promise<void> {
  const before = await rows?.()
  const answers = ids.map((id) => ask(line, name, id, more))
  expect(await reasonOfEqual(answers)).toBe(reason)
  expect((await answers[0])?.status).toBe(404)
  expect(await rows?.()).toEqual(before)
  if (line.startsWith('GET')) return
  const attempts = await db().auditEvent.findMany({
    where: { ducklingId: stranger.id, outcome: 'denied' },
    orderBy: { seq: 'desc' },
    take: ids.length,
  })
  expect(attempts.map(({ metadata }) => metadata)).toEqual(
    ids.map(() => ({ code: 'E4005', failure: reason })),
  )
}

describe("a stranger gets the same answer for somebody else's thing and an unknown one", () => {
  // security: asker-36
  it.each([
    ['GET /beak/peck/status', {}],
    ['GET /beak/peck/status', { wait: '30' }],
    ['GET /beak/peck/outcome', {}],
    ['GET /beak/peck/receipt', {}],
    ['POST /beak/peck/approve', {}],
    ['POST /beak/peck/reject', { reason: 'No' }],
    ['POST /beak/peck/cancel', {}],
    ['POST /beak/peck/revoke', {}],
    ['POST /beak/peck/share', {}],
    ['POST /beak/peck/snooze', { until: secondsAfter(readClock(), 3600).toISOString() }],
    ['POST /beak/peck/unshare', {}],
    ['POST /beak/peck/undo', {}],
    ['GET /beak/peck/uses', {}],
  ])('at %s %o', async (line, more) => {
    const asker = await aDuckling({ tier: 'T2' })
    const pending = await aPeck(asker, owner)
    const approved = await anApprovedPeck(asker, owner, { params: { page: 2 } })
    const ids = [pending.peck_id, approved.peck_id, newId('peck', readClock())]
    const rows = () => db().peck.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } })
    await expectUnknown(line, ['peck_id', ids], 'peck_not_found', { more, rows })
  })

  // security: check-33
  it.each([
    ['POST /beak/agent/suspend', {}],
    ['POST /beak/agent/resume', {}],
    ['POST /beak/agent/update', { allow_query_key: false }],
    ['POST /beak/agent/handshake', {}],
    ['POST /beak/agent/deregister', {}],
    ['POST /beak/agent/test-request', {}],
    ['POST /beak/key/rotate', {}],
  ])('at %s', async (line, more) => {
    const gone = await anAgent(owner)
    await deregisterAgent(await owner.context(), gone.agentId)
    const bonded = await anAgent(owner)
    const ids = [agent.agentId, bonded.agentId, gone.agentId, newId('agent', readClock())]
    const rows = () =>
      db().agent.findMany({ where: { id: { in: ids } }, include: { keys: true }, orderBy: { id: 'asc' } })
    await expectUnknown(line, ['agent_id', ids], 'agent_not_found', { more, rows })
  })

  it.each([
    ['GET /beak/webhook/deliveries', {}],
    ['POST /beak/webhook/delete', {}],
    ['POST /beak/webhook/rotate-secret', {}],
    ['POST /beak/webhook/test', {}],
    ['POST /beak/webhook/update', { enabled: false }],
  ])('at %s', async (line, more) => {
    const { id } = await aWebhook('http://127.0.0.1:9/', { owner })
    const ids = [id, newId('webhook', readClock())]
    const rows = () => db().webhookEndpoint.findMany({ where: { id } })
    await expectUnknown(line, ['webhook_id', ids], 'webhook_not_found', { more, rows })
  })

  it('at POST /beak/webhook/redeliver', async () => {
    const { owner: other, id: webhook_id } = await aWebhook('http://127.0.0.1:9/')
    await elevate(other)
    const delivery = await db().webhookDelivery.findFirstOrThrow({ where: { endpointId: webhook_id } })
    const rows = () => db().webhookDelivery.findMany({ where: { id: delivery.id } })
    const line = 'POST /beak/webhook/redeliver'
    const deliveries: [string, string[]] = ['delivery_id', [delivery.id, newId('delivery', readClock())]]
    await expectUnknown(line, deliveries, 'webhook_not_found', { rows })
    const messages: [string, string[]] = ['message_id', [delivery.messageId, newId('message', readClock())]]
    await expectUnknown(line, messages, 'webhook_not_found', { rows, more: { webhook_id } })
  })

  it.each([
    ['POST /beak/channel/update', { name: 'Pond' }],
    ['POST /beak/channel/remove', {}],
    ['POST /beak/channel/test', {}],
  ])('at %s', async (line, more) => {
    const { channel_id } = await aChannel(owner, { kind: 'ntfy', url: 'http://127.0.0.1:9/topic' })
    const ids = [channel_id, newId('channel', readClock())]
    await expectUnknown(line, ['channel_id', ids], 'channel_not_found', { more })
  })

  it.each([
    'GET /beak/rule/view',
    'GET /beak/rule/end/preview',
    'POST /beak/rule/end',
    'POST /beak/rule/rehearse',
  ])('at %s', async (line) => {
    const other = await aDuckling()
    const { authenticator } = await aPasskey(other)
    const { rule_id } = await aRule(other, authenticator, shopRule((await anAgent(other)).agentId))
    const more = line.endsWith('rehearse') ? { rule: shopRule((await anAgent(stranger)).agentId) } : {}
    const ids = [rule_id, newId('rule', readClock())]
    await expectUnknown(line, ['rule_id', ids], 'rule_not_found', { more })
  })

  it('at POST /beak/session/revoke, /beak/passkey/remove and /beak/invitation/revoke', async () => {
    const other = await aDuckling()
    const { id: passkey } = await aPasskey(other)
    const { id: session } = await db().session.findFirstOrThrow({ where: { ducklingId: other.id } })
    const { invitation_id } = (await call('POST /beak/invitation/create', { token: other.token, body: {} }))
      .body
    const rows = async () => [
      await db().session.findUniqueOrThrow({ where: { id: session } }),
      await db().passkey.findUniqueOrThrow({ where: { id: passkey } }),
      await db().invitation.findUniqueOrThrow({ where: { id: invitation_id } }),
    ]
    const now = readClock()
    const sessions: [string, string[]] = ['session_id', [session, newId('session', now)]]
    await expectUnknown('POST /beak/session/revoke', sessions, 'session_not_found', { rows })
    const passkeys: [string, string[]] = ['passkey_id', [passkey, newId('passkey', now)]]
    await expectUnknown('POST /beak/passkey/remove', passkeys, 'passkey_not_found', { rows })
    const invitations: [string, string[]] = ['invitation_id', [invitation_id, newId('invitation', now)]]
    await expectUnknown('POST /beak/invitation/revoke', invitations, 'invitation_not_found', { rows })
  })

  it.each([
    'GET /beak/peck/status',
    'GET /beak/peck/outcome',
    'GET /beak/peck/uses',
    'POST /beak/peck/cancel',
  ])('as an agent does for what its operator or a sister asked or got, at %s', async (line) => {
    const sister = await anAgent(owner)
    const { beakKey: key } = await anAgent(owner)
    const pecks = await Promise.all([
      aPeck(owner, stranger, { params: { line } }),
      aPeck(sister, stranger, { params: { line, sister: true } }),
      aPeck(stranger, owner, { params: { line } }),
    ])
    const ids = [...pecks.map(({ peck_id }) => peck_id), newId('peck', readClock())]
    const rows = () => db().peck.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } })
    const before = await rows()
    const asked = ids.map((peck_id) =>
      line.startsWith('GET')
        ? call(`${line}?peck_id=${peck_id}`, { key })
        : call(line, { key, body: { peck_id } }),
    )
    expect(await reasonOfEqual(asked)).toBe('peck_not_found')
    expect(await rows()).toEqual(before)
  })

  it('for a closed account and an unknown one', async () => {
    const closed = await aDuckling()
    await call('POST /beak/account/delete', { token: closed.token })
    const ids = [closed.id, newId('duckling', readClock())]
    expect(await reasonOfEqual(ids.map((id) => ask('POST /beak/peck/block', 'duckling_id', id)))).toBe(
      'duckling_not_found',
    )
    const request = { action: 'read:profile', scope: 'limited' }
    const asked = ids.map((id) => ask('POST /beak/peck/request', 'target_duckling_id', id, request))
    expect(await reasonOfEqual(asked)).toBe('duckling_not_found')
  })

  it('for a receipt that is no longer shared and a link that never was', async () => {
    const { peck_id } = await anApprovedPeck(await aDuckling(), owner)
    const { body: share } = await call('POST /beak/peck/share', { token: owner.token, body: { peck_id } })
    await call('POST /beak/peck/unshare', { token: owner.token, body: { peck_id } })
    const ids = [share.share_id, '0'.repeat(26)]
    expect(await reasonOfEqual(ids.map((id) => call(`GET /beak/peck/shared?id=${id}`)))).toBe(
      'receipt_not_shared',
    )
  })
})

describe('a dead credential and one that never was get the same answer', () => {
  const guarded = (options: CallOptions[]) => options.map((option) => call('GET /beak/profile', option))

  it('for sessions', async () => {
    const late = await aDuckling()
    const closed = await aDuckling()
    const signedOut = await anotherSession(owner)
    await db().session.updateMany({
      where: { ducklingId: late.id },
      data: { expiresAt: secondsAfter(readClock(), -1) },
    })
    await call('POST /beak/account/delete', { token: closed.token })
    await call('POST /beak/signout', { token: signedOut })
    const tokens = [late.token, closed.token, signedOut, `${owner.token.slice(0, -9)}AAAAAAAAA`, 'no-token']
    const answers = guarded(tokens.map((token) => ({ token })))
    expect(await reasonOfEqual(answers)).toBe('session_invalid')
  })

  it('for beak keys', async () => {
    const dead = Object.values(await deadKeys(owner))
    const closed = await aDuckling()
    const orphan = await anAgent(closed)
    await call('POST /beak/account/delete', { token: closed.token })
    const broken = `${agent.beakKey.slice(0, -1)}_`
    const keys = [...dead, orphan.beakKey, broken, 'no-key']
    expect(await reasonOfEqual(guarded(keys.map((key) => ({ key }))))).toBe('beak_key_invalid')
  })

  // security: stranger-6
  it('for the address and the code at sign-in', async () => {
    const { email } = await aDuckling()
    await call('POST /beak/signin/otp', { body: { email } })
    const otp = (await codeFor(email)) === '000000' ? '111111' : '000000'
    const asleep = await aDuckling()
    const bodies = [
      { email, otp },
      { email: asleep.email, otp },
      { email: randomEmail(), otp },
      { email, password: 'a wrong password' },
      { email: randomEmail(), password: 'a wrong password' },
    ]
    const answers = bodies.map((body) => call('POST /beak/signin', { body }))
    expect(await reasonOfEqual(answers)).toBe('sign_in_failed')
  })

  it('for the address that asks for a code', async () => {
    const answers = [owner.email, randomEmail()].map((email) =>
      call('POST /beak/signin/otp', { body: { email } }),
    )
    const [known, unknown] = (await Promise.all(answers)).map(({ status, body }) => [status, body])
    expect(unknown).toEqual(known)
  })

  // security: check-18
  it('for passkeys', async () => {
    const { authenticator } = await aPasskey(await aDuckling())
    const options = async () => (await call('POST /beak/passkey/login/options')).body
    const replayed = authenticator.get(await options())
    await call('POST /beak/passkey/login', { body: { credential: replayed } })
    const unknown = new Authenticator()
    unknown.create((await call('POST /beak/passkey/register', { token: stranger.token, body: {} })).body)
    const credentials = [replayed, unknown.get(await options())]
    const answers = credentials.map((credential) =>
      call('POST /beak/passkey/login', { body: { credential } }),
    )
    expect(await reasonOfEqual(answers)).toBe('passkey_assertion_invalid')
  })

  it('for handshake tokens', async () => {
    const spent = await anAgent(owner)
    const late = await anAgent(owner, { bonded: false })
    await db().handshake.updateMany({
      where: { agentId: late.agentId },
      data: { expiresAt: secondsAfter(readClock(), -1) },
    })
    const bond = (handshake_token: string) =>
      call('POST /beak/agent/bond', {
        key: late.beakKey,
        body: { agent_id: late.agentId, handshake_token },
      })
    const tokens = [late.handshakeToken, spent.handshakeToken, agent.handshakeToken, 'no-token']
    expect(await reasonOfEqual(tokens.map(bond))).toBe('handshake_token_invalid')
  })

  it('for grant tokens', async () => {
    const approved = await anApprovedPeck(await aDuckling(), owner)
    const forged = `${approved.grant_token.slice(0, -4)}0000`
    await db().grantToken.updateMany({
      where: { peckId: approved.peck_id },
      data: { expiresAt: secondsAfter(readClock(), -1) },
    })
    const answers = [approved.grant_token, forged, 'no-token'].map((grant_token) =>
      call('POST /beak/peck/consume', { body: { grant_token, params: {} } }),
    )
    expect(await reasonOfEqual(answers)).toBe('grant_token_invalid')
  })

  it('for SSO tokens', async () => {
    const bridge = (sso_token: string) =>
      call('POST /beak/sso/bridge', {
        token: stranger.token,
        body: { sso_token, target: 'shop.example.com' },
      })
    const spent = await anSsoToken(stranger.context())
    await bridge(spent)
    const answers = [spent, forgedToken(await anSsoToken(stranger.context())), 'no-token'].map(bridge)
    expect(await reasonOfEqual(answers)).toBe('sso_token_invalid')
  })
})
