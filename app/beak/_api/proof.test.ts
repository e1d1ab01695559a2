/** Tests every sensitive change with sessions that have a recent proof and sessions that do not. */
import { describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling, aHandle, randomEmail } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { anotherSession } from '@/lib/fixtures/accounts'
import { aChannel } from '@/lib/fixtures/channels'
import { aConsent, aSiteConsent } from '@/lib/fixtures/consents'
import { sensitiveChanges } from '@/lib/http/changes'
import { openapiDocument } from '@/lib/http/openapi'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { type Answer, call } from './call'
import { table } from './table'

type Attempt = (token: string) => Promise<Answer>

interface SensitiveChange {
  name: string
  /** The event with which a refused attempt is recorded. */
  event: string
  /** A session of the device flow prepares it instead: see the tests of these endpoints. */
  isPrepared?: true
  /** Prepares the account while it has no passkey and its session is recent. */
  prepare(owner: ADuckling): Promise<Attempt>
}

const post =
  (line: string, body?: unknown): Attempt =>
  (token) =>
    call(line, { token, body })

const url = 'https://hooks.example.com/beak'
const shop = { name: 'Shop', redirect_uris: ['https://shop.example/callback'] }

const sensitiveCases: SensitiveChange[] = [
  {
    name: 'setting require_passkey_for_pecks to false',
    event: 'duckling.updated',
    prepare: async ({ token }) => {
      await call('POST /beak/profile/update', { token, body: { require_passkey_for_pecks: true } })
      return post('POST /beak/profile/update', { require_passkey_for_pecks: false })
    },
  },
  {
    name: 'lowering min_peck_tier',
    event: 'duckling.updated',
    prepare: async ({ token }) => {
      await call('POST /beak/profile/update', { token, body: { min_peck_tier: 'T2' } })
      return post('POST /beak/profile/update', { min_peck_tier: 'T1', bio: 'Dabbles' })
    },
  },
  {
    name: 'making an invitation link when only higher tiers may ask',
    event: 'invitation.created',
    prepare: async ({ token }) => {
      await call('POST /beak/profile/update', { token, body: { min_peck_tier: 'T2' } })
      return post('POST /beak/invitation/create', {})
    },
  },
  {
    name: 'letting an asker always reach an account that only higher tiers may ask',
    event: 'contact.updated',
    prepare: async (owner) => {
      const asker = await aDuckling()
      await aPeck(asker, owner)
      await call('POST /beak/profile/update', { token: owner.token, body: { min_peck_tier: 'T2' } })
      return post('POST /beak/contact/update', { asker: asker.id, always: true })
    },
  },
  {
    name: 'requesting a code to change the email',
    event: 'duckling.email_changed',
    prepare: async () => post('POST /beak/email-change', { new_email: randomEmail() }),
  },
  {
    name: 'changing the email with the code',
    event: 'duckling.email_changed',
    prepare: async ({ token }) => {
      const new_email = randomEmail()
      await call('POST /beak/email-change', { token, body: { new_email } })
      return post('POST /beak/email-change', { new_email, otp: await codeFor(new_email) })
    },
  },
  {
    name: 'requesting options to add a passkey',
    event: 'passkey.challenged',
    prepare: async () => post('POST /beak/passkey/register'),
  },
  {
    name: 'adding a passkey',
    event: 'passkey.registered',
    prepare: async ({ token }) => {
      const { body } = await call('POST /beak/passkey/register', { token })
      const credential = new Authenticator().create(body)
      return post('POST /beak/passkey/register/verify', { credential })
    },
  },
  {
    name: 'connecting a program',
    event: 'agent.connected',
    prepare: async () =>
      post('POST /beak/consent/allow', { ...(await aConsent()), agent_name: 'Scout', scopes: ['ask'] }),
  },
  {
    name: 'signing in at a site',
    event: 'site.allowed',
    prepare: async () =>
      post('POST /beak/consent/sign-in', { ...(await aSiteConsent()), scopes: ['profile'] }),
  },
  {
    name: 'registering a site',
    event: 'site.registered',
    prepare: async () => post('POST /beak/site/register', shop),
  },
  ...(['update', 'delete'] as const).map((path) => ({
    name: `${path === 'update' ? 'changing' : 'deleting'} a site`,
    event: `site.${path}d`,
    prepare: async ({ token }: ADuckling) => {
      const { client_id } = (await call('POST /beak/site/register', { token, body: shop })).body
      return post(`POST /beak/site/${path}`, path === 'update' ? { ...shop, client_id } : { client_id })
    },
  })),
  {
    name: 'rotating a key',
    event: 'key.rotated',
    prepare: async (owner) => post('POST /beak/key/rotate', { agent_id: (await anAgent(owner)).agentId }),
  },
  {
    name: 'creating a handshake for an agent of another session',
    event: 'agent.handshake_made',
    prepare: async (owner) => {
      const { agentId } = await anAgent(owner, { bonded: false })
      await db().agent.update({ where: { id: agentId }, data: { sessionId: 'SES-OF-ANOTHER' } })
      return post('POST /beak/agent/handshake', { agent_id: agentId })
    },
  },
  {
    name: 'creating a handshake for an agent of an unknown session',
    event: 'agent.handshake_made',
    prepare: async (owner) => {
      const { agentId } = await anAgent(owner, { bonded: false })
      await db().agent.update({ where: { id: agentId }, data: { sessionId: null } })
      return post('POST /beak/agent/handshake', { agent_id: agentId })
    },
  },
  {
    name: 'exporting the account',
    event: 'duckling.exported',
    prepare: async () => post('GET /beak/account/export'),
  },
  ...(['approve', 'deny'] as const).map((decision) => ({
    name: `deciding about a device: ${decision}`,
    event: decision === 'approve' ? 'session.device_approved' : 'session.device_denied',
    prepare: async () => {
      const { body } = await call('POST /beak/device/authorize', { body: { client_name: 'laptop' } })
      return post(`POST /beak/device/${decision}`, { user_code: body.user_code })
    },
  })),
  {
    name: 'registering an agent',
    event: 'agent.registered',
    isPrepared: true,
    prepare: async () =>
      post('POST /beak/agent/register', {
        agent_name: 'Scout',
        agent_type: 'assistant',
        capabilities: ['request:peck'],
      }),
  },
  {
    name: 'resuming an agent',
    event: 'agent.resumed',
    prepare: async (owner) => {
      const { agentId } = await anAgent(owner)
      await call('POST /beak/agent/suspend', { token: owner.token, body: { agent_id: agentId } })
      return post('POST /beak/agent/resume', { agent_id: agentId })
    },
  },
  {
    name: 'switching off alarms about a coding agent',
    event: 'agent.alarms_off',
    prepare: async (owner) => {
      const { agentId, beakKey: key } = await anAgent(owner)
      const body = { tool: 'claude', version: '2.1.332', computer: 'otter', mode: 'guard', session: '1' }
      await call('POST /beak/agent/heartbeat', { key, body })
      return post('POST /beak/agent/guard', { agent_id: agentId, change: 'off' })
    },
  },
  {
    name: 'allowing the key of an agent in addresses',
    event: 'agent.updated',
    prepare: async (owner) => {
      const { agentId } = await anAgent(owner, { allowQueryKey: false })
      return post('POST /beak/agent/update', { agent_id: agentId, allow_query_key: true })
    },
  },
  {
    name: 'letting an agent ask other people',
    event: 'agent.updated',
    prepare: async (owner) => {
      const { agentId } = await anAgent(owner, { asksOthers: false })
      return post('POST /beak/agent/update', { agent_id: agentId, asks_others: true })
    },
  },
  {
    name: 'creating a webhook',
    event: 'webhook.created',
    isPrepared: true,
    prepare: async () => post('POST /beak/webhook/create', { url }),
  },
  ...(
    [
      ['changing', 'update', 'webhook.updated', { description: 'Pond' }],
      ['deleting', 'delete', 'webhook.deleted', {}],
      ['replacing the secret of', 'rotate-secret', 'webhook.rotated', {}],
    ] as const
  ).map(([verb, path, event, body]) => ({
    name: `${verb} a webhook`,
    event,
    prepare: async (owner: ADuckling) => {
      const { webhook_id } = (await call('POST /beak/webhook/create', { token: owner.token, body: { url } }))
        .body
      await db().webhookEndpoint.update({ where: { id: webhook_id }, data: { sessionId: null } })
      return post(`POST /beak/webhook/${path}`, { webhook_id, ...body })
    },
  })),
  {
    name: 'adding a channel',
    event: 'channel.added',
    prepare: async () => post('POST /beak/channel/add', { kind: 'ntfy', url: 'http://127.0.0.1:9/topic' }),
  },
  ...(
    [
      ['changing', 'update', 'channel.updated', { announces: [] }],
      ['turning on the details of', 'update', 'channel.updated', { details: true }],
      ['removing', 'remove', 'channel.removed', {}],
    ] as const
  ).map(([verb, path, event, body]) => ({
    name: `${verb} a channel of another session`,
    event,
    prepare: async (owner: ADuckling) => {
      const { channel_id } = await aChannel(owner, { kind: 'ntfy', url: 'http://127.0.0.1:9/topic' })
      await db().channel.update({ where: { id: channel_id }, data: { sessionId: null } })
      return post(`POST /beak/channel/${path}`, { channel_id, ...body })
    },
  })),
  {
    name: 'changing notifications',
    event: 'notifications.updated',
    prepare: async () =>
      post('POST /beak/notifications/update', { channels: { mail: { requests: 'none' } } }),
  },
  {
    name: 'issuing the first sign-on token for a domain',
    event: 'sso.issued',
    prepare: async () => post('POST /beak/sso/issue', { target_domain: 'shop.example', scope: 'profile' }),
  },
  {
    name: 'unblocking somebody whom another session blocked',
    event: 'peck.unblocked',
    prepare: async ({ token }) => {
      const body = { duckling_id: (await aDuckling()).id }
      await call('POST /beak/peck/block', { token, body })
      await db().peckBlock.updateMany({
        where: { blockedDucklingId: body.duckling_id },
        data: { sessionId: null },
      })
      return post('POST /beak/peck/unblock', body)
    },
  },
  {
    name: 'letting somebody ask again whom another session rejected',
    event: 'peck.unpaused',
    prepare: async (owner) => {
      const asker = await aDuckling()
      const { peck_id } = await aPeck(asker, owner)
      await db().peck.update({
        where: { id: peck_id },
        data: { status: 'rejected', decidedAt: readClock(), pendingKey: null },
      })
      return post('POST /beak/peck/unpause', { duckling_id: asker.id })
    },
  },
  {
    name: 'changing the display name',
    event: 'duckling.renamed',
    prepare: async () => post('POST /beak/name-change', { new_display_name: 'Mallard' }),
  },
  {
    name: 'setting the first full name with the profile',
    event: 'duckling.updated',
    prepare: async () => post('POST /beak/profile/update', { full_name: 'Anna Weber' }),
  },
  {
    name: 'taking back a change of the names',
    event: 'duckling.renamed',
    prepare: async ({ token }) => {
      await call('POST /beak/name-change', { token, body: { new_display_name: 'Mallard' } })
      const { change } = (await call('GET /beak/name-change', { token })).body
      return post('POST /beak/name-change/undo', { changed_at: change.changed_at })
    },
  },
  {
    name: 'choosing a handle',
    event: 'handle.claimed',
    prepare: async () => post('POST /beak/handle/claim', { handle: aHandle() }),
  },
  {
    name: 'releasing the handle',
    event: 'handle.released',
    prepare: async ({ token }) => {
      await call('POST /beak/handle/claim', { token, body: { handle: aHandle() } })
      return post('POST /beak/handle/release')
    },
  },
  {
    name: 'closing the account',
    event: 'duckling.closed',
    prepare: async () => post('POST /beak/account/delete'),
  },
]

/** Adds a passkey in the database: the session of a device may not. */
async function aPasskeyOf({ id }: ADuckling): Promise<void> {
  const other = await aDuckling()
  const { id: passkeyId } = await aPasskey(other)
  await db().passkey.update({ where: { id: passkeyId }, data: { ducklingId: id } })
}

/** Sets the proofs of a duckling's sessions to that many seconds ago. */
async function setProofAge(ducklingId: string, seconds: number): Promise<void> {
  const at = secondsAfter(readClock(), -seconds)
  const where = { ducklingId }
  await db().session.updateMany({ where, data: { authTime: at } })
  await db().session.updateMany({ where: { ...where, passkeyAt: { not: null } }, data: { passkeyAt: at } })
}

async function confirm(token: string, authenticator: Authenticator): Promise<Answer> {
  const options = await call('POST /beak/passkey/challenge', { token, body: { purpose: 'confirm' } })
  return call('POST /beak/passkey/confirm', { token, body: { passkey: authenticator.get(options.body) } })
}

async function signInWithPasskey(authenticator: Authenticator): Promise<string> {
  const { body } = await call('POST /beak/passkey/login/options')
  const answer = await call('POST /beak/passkey/login', { body: { credential: authenticator.get(body) } })
  return answer.body.token
}

/** Returns the session of a token, as its owner sees it. */
const sessionOf = async (token: string) =>
  (await call('GET /beak/session/list', { token })).body.items.find(
    ({ current }: { current: boolean }) => current,
  )

const refusedFor = ({ status, body }: Answer) => [status, body.code, body.required]
const needsPasskey = [403, 'E4009', 'passkey']
const needsSignIn = [403, 'E4009', 'fresh_sign_in']

describe.each(sensitiveCases)('$name', ({ prepare, event, isPrepared = false }) => {
  // security: stranger-37, mail-1, session-8, D2
  it('needs a passkey when the account has one: a session by code is refused until it is confirmed', async () => {
    const owner = await aDuckling()
    const attempt = await prepare(owner)
    const { authenticator } = await aPasskey(owner)
    for (const token of [owner.token, await anotherSession(owner)])
      expect(refusedFor(await attempt(token))).toEqual(needsPasskey)
    const denied = { ducklingId: owner.id, action: event, outcome: 'denied' }
    expect(await db().auditEvent.count({ where: denied })).toBe(2)
    expect((await confirm(owner.token, authenticator)).status).toBe(200)
    expect((await attempt(owner.token)).status).toBe(200)
  })

  it('accepts a session that started with a passkey for ten minutes', async () => {
    const owner = await aDuckling()
    const attempt = await prepare(owner)
    const { authenticator } = await aPasskey(owner)
    const token = await signInWithPasskey(authenticator)
    await setProofAge(owner.id, 10 * minute + 1)
    expect(refusedFor(await attempt(token))).toEqual(needsPasskey)
    await setProofAge(owner.id, 10 * minute - 5)
    expect((await attempt(token)).status).toBe(200)
  })

  it('refuses a confirmed session after ten minutes', async () => {
    const owner = await aDuckling()
    const attempt = await prepare(owner)
    const { authenticator } = await aPasskey(owner)
    await confirm(owner.token, authenticator)
    await setProofAge(owner.id, 10 * minute + 1)
    expect(refusedFor(await attempt(owner.token))).toEqual(needsPasskey)
  })

  // security: session-3
  it('needs a sign-in in the last ten minutes when the account has no passkey', async () => {
    const owner = await aDuckling()
    const attempt = await prepare(owner)
    await setProofAge(owner.id, 10 * minute + 1)
    expect(refusedFor(await attempt(owner.token))).toEqual(needsSignIn)
    expect(
      await db().auditEvent.count({ where: { ducklingId: owner.id, action: event, outcome: 'denied' } }),
    ).toBe(1)
    await setProofAge(owner.id, 10 * minute - 5)
    expect((await attempt(owner.token)).status).toBe(200)
  })

  // security: site-10
  it.skipIf(isPrepared)('is refused to a session of the device flow, however recent it is', async () => {
    const owner = await aDuckling()
    const attempt = await prepare(owner)
    await db().session.updateMany({ where: { ducklingId: owner.id }, data: { amr: ['device'] } })
    expect(refusedFor(await attempt(owner.token))).toEqual(needsSignIn)
    await aPasskeyOf(owner)
    expect(refusedFor(await attempt(owner.token))).toEqual(needsPasskey)
  })
})

describe('a session of the device flow', () => {
  const asDevice = ({ id }: ADuckling) =>
    db().session.updateMany({ where: { ducklingId: id }, data: { amr: ['device'] } })
  const asOwner = ({ id }: ADuckling) =>
    db().session.updateMany({ where: { ducklingId: id }, data: { amr: ['otp'] } })
  const registration = { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['request:peck'] }

  // security: session-11
  it('prepares an agent, which bonds only after its owner has resumed it with a proof', async () => {
    const owner = await aDuckling()
    await asDevice(owner)
    const { token } = owner
    const { body: made } = await call('POST /beak/agent/register', { token, body: registration })
    expect(made.status).toBe('suspended')
    const bond = () =>
      call('POST /beak/agent/bond', {
        key: made.beak_key,
        body: { agent_id: made.agent_id, handshake_token: made.handshake_token },
      })
    expect((await bond()).status).toBe(409)
    expect((await call('GET /beak/profile', { key: made.beak_key })).status).toBe(403)
    const resume = () => call('POST /beak/agent/resume', { token, body: { agent_id: made.agent_id } })
    expect(refusedFor(await resume())).toEqual(needsSignIn)
    await asOwner(owner)
    expect((await resume()).body.status).toBe('registered')
    expect((await bond()).body.status).toBe('bonded')
  })

  // security: session-11
  it('prepares a webhook, which gets nothing until its owner enables it with a proof', async () => {
    const owner = await aDuckling()
    await asDevice(owner)
    const { token } = owner
    const { body: made } = await call('POST /beak/webhook/create', { token, body: { url } })
    expect(made).toMatchObject({ enabled: false, disabled_reason: 'unconfirmed' })
    const enable = () =>
      call('POST /beak/webhook/update', { token, body: { webhook_id: made.webhook_id, enabled: true } })
    expect(refusedFor(await enable())).toEqual(needsSignIn)
    await asOwner(owner)
    expect((await enable()).body).toMatchObject({ enabled: true, disabled_reason: null })
  })

  it('deletes the endpoint that it prepared itself', async () => {
    const owner = await aDuckling()
    await asDevice(owner)
    const { token } = owner
    const { webhook_id } = (await call('POST /beak/webhook/create', { token, body: { url } })).body
    expect((await call('POST /beak/webhook/delete', { token, body: { webhook_id } })).status).toBe(200)
  })

  it('ends itself, and no other session', async () => {
    const owner = await aDuckling()
    const other = await anotherSession(owner)
    const { sessionId } = (await owner.context()).caller
    await db().session.update({ where: { id: sessionId }, data: { amr: ['device'] } })
    const end = (body: object) => call('POST /beak/session/revoke', { token: owner.token, body })
    expect(refusedFor(await end({ all_others: true }))).toEqual(needsSignIn)
    expect((await call('GET /beak/profile', { token: other })).status).toBe(200)
    expect((await end({ session_id: sessionId })).status).toBe(200)
  })
})

describe('a session that began with a code', () => {
  // security: mail-14
  it('ends sessions of codes and devices, and one of a passkey only with the passkey', async () => {
    const owner = await aDuckling()
    const { authenticator } = await aPasskey(owner)
    const [thief, code] = [await anotherSession(owner), await anotherSession(owner)]
    const own = await signInWithPasskey(authenticator)
    await setProofAge(owner.id, 60 * minute)
    const idOf = async (token: string) => (await sessionOf(token)).session_id
    const end = async (token: string, session_id: string) =>
      call('POST /beak/session/revoke', { token, body: { session_id } })
    expect((await end(thief, await idOf(code))).status).toBe(200)
    expect(refusedFor(await end(thief, await idOf(own)))).toEqual(needsPasskey)
    const all = await call('POST /beak/session/revoke', { token: thief, body: { all_others: true } })
    expect(refusedFor(all)).toEqual(needsPasskey)
    expect((await call('GET /beak/profile', { token: own })).status).toBe(200)
  })

  // security: mail-14
  it('that has ended sessions starts a recovery of passkeys that takes a day longer', async () => {
    const hours = async (isSilent: boolean) => {
      const owner = await aDuckling()
      await aPasskey(owner)
      const thief = await anotherSession(owner)
      if (isSilent) await call('POST /beak/session/revoke', { token: thief, body: { all_others: true } })
      const { body } = await call('POST /beak/passkey/recover', { token: await anotherSession(owner) })
      return Math.round((Date.parse(body.removes_at) - Date.parse(body.requested_at)) / 3_600_000)
    }
    expect([await hours(false), await hours(true)]).toEqual([24, 48])
  })
})

describe('a sign-on token', () => {
  const issueAt =
    (target_domain: string): Attempt =>
    (token) =>
      call('POST /beak/sso/issue', { token, body: { target_domain, scope: 'profile' } })
  const issue = issueAt('shop.example')

  // security: session-4
  it('needs a proof for each new domain of a session, and none for the same one', async () => {
    const owner = await aDuckling()
    expect((await issue(owner.token)).status).toBe(200)
    await setProofAge(owner.id, 60 * minute)
    expect((await issue(owner.token)).status).toBe(200)
    expect(refusedFor(await issueAt('other.example')(owner.token))).toEqual(needsSignIn)
  })

  // security: site-9
  it('is refused to every other session of the account, whose domain only the passkey of the owner has proved', async () => {
    const owner = await aDuckling()
    const { authenticator } = await aPasskey(owner)
    const own = await signInWithPasskey(authenticator)
    expect((await issue(own)).status).toBe(200)
    const [code, device] = [await anotherSession(owner), await anotherSession(owner)]
    await db().session.updateMany({
      where: { id: (await sessionOf(device)).session_id },
      data: { amr: ['device'] },
    })
    for (const token of [code, device, owner.token])
      expect(refusedFor(await issue(token))).toEqual(needsPasskey)
    await setProofAge(owner.id, 60 * minute)
    expect((await issue(own)).status).toBe(200)
    expect((await confirm(code, authenticator)).status).toBe(200)
    expect((await issue(code)).status).toBe(200)
  })

  // security: site-11
  it('needs a new proof once the passkey that gave it is removed', async () => {
    const owner = await aDuckling()
    const { id, authenticator } = await aPasskey(owner)
    const [thief, own] = [await signInWithPasskey(authenticator), await signInWithPasskey(authenticator)]
    expect((await issue(thief)).status).toBe(200)
    await aPasskeyOf(owner)
    expect((await call('POST /beak/passkey/remove', { token: own, body: { passkey_id: id } })).status).toBe(
      200,
    )
    expect(refusedFor(await issue(thief))).toEqual(needsPasskey)
  })

  // security: site-9
  it('needs a passkey once the account has one, also where a code had proved the domain', async () => {
    const owner = await aDuckling()
    expect((await issue(owner.token)).status).toBe(200)
    await aPasskey(owner)
    expect(refusedFor(await issue(owner.token))).toEqual(needsPasskey)
  })

  it('is not given for a proof that an earlier version kept for the account', async () => {
    const owner = await aDuckling()
    await setProofAge(owner.id, 60 * minute)
    await db().ssoProof.create({
      data: { ducklingId: owner.id, domain: 'shop.example', provedAt: readClock() },
    })
    expect(refusedFor(await issue(owner.token))).toEqual(needsSignIn)
  })

  it('of an agent follows its capability', async () => {
    const owner = await aDuckling()
    const agent = await anAgent(owner)
    await setProofAge(owner.id, 60 * minute)
    const body = { target_domain: 'shop.example', scope: 'profile' }
    expect((await call('POST /beak/sso/issue', { key: agent.beakKey, body })).status).toBe(200)
  })
})

describe('a sensitive change', () => {
  // security: mail-14
  it('is mailed to the owner, together with the others of ten minutes', async () => {
    const owner = await aDuckling()
    const { token } = owner
    const { body } = await call('POST /beak/webhook/create', { token, body: { url } })
    const mails = await sentTo(owner.email)
    const mail = mails.find(({ kind }) => kind === 'sensitive_change')
    expect(mail?.text).toContain(`The webhook endpoint "${body.webhook_id}" was created.`)
  })
})

/** Operations that need no recent proof, by their names, with the reason. */
const harmlessChanges: Record<string, string> = {
  signUp: 'makes an account',
  verifyEmail: 'needs the code of the mailbox',
  resendVerificationCode: 'sends a code to the own address',
  revokeConsent: 'takes away what a site may learn',
  findPeople: 'changes nothing: the body keeps the searched address out of logs',
  disownSession: 'needs the link of a mail, and ends no session that a passkey authenticated',
  undoEmailChange: 'needs the link of the old mailbox',
  signIn: 'is the proof',
  signInWithLink: 'needs the link of the host',
  requestSignInCode: 'sends a code to the own address',
  startPasskeySignIn: 'gives a challenge',
  signInWithPasskey: 'is the proof',
  requestPasskeyChallenge: 'gives a challenge',
  confirmPasskey: 'is the proof',
  keepApprover: 'keeps what is there',
  endorsePasskey: 'needs the signature of an older passkey',
  cancelPasskeyRecovery: 'keeps what is there',
  cancelEmailUndo: 'needs a passkey that is older than the change',
  signOut: 'ends the own session',
  authorizeDevice: 'waits for a person who decides',
  redeemDeviceCode: 'follows the decision of a person',
  issueCertificate: 'says what is true already',
  revokeCertificate: 'takes away, is announced by mail, and a new certificate can be issued at once',
  bondAgent: 'needs the key of the agent and the handshake token of its owner',
  issueAgentToken: 'needs the key of the agent',
  sendHeartbeat: 'needs the key of the agent, gives it nothing, and ends no alarm',
  suspendAgent: 'takes away, and can be undone',
  rehearseRule: 'changes nothing',
  viewConsent: 'changes nothing',
  denyConsent: 'gives nothing',
  createRule: 'needs the signature of a passkey over the rule',
  sendTestRequest: 'an approval of it permits nothing',
  deregisterAgent: 'takes away',
  requestPeck: 'asks a person who decides',
  cancelPeck: 'takes away',
  rejectPeck: 'gives nothing',
  revokeInvitation: 'takes away',
  undoDecision: 'gives nothing: the person decides again',
  snoozePeck: 'gives nothing, and can be undone',
  revokeGrant: 'takes away',
  revokeAllGrants: 'takes away',
  consumeGrant: 'needs the grant token',
  checkGrant: 'reads',
  blockDuckling: 'hides requests that nobody has to answer, and can be undone',
  shareReceipt: 'shows what was decided, without secrets, and can be undone',
  unshareReceipt: 'takes away',
  bridgeSsoToken: 'needs the token',
  verifySsoToken: 'reads',
  testChannel: 'sends an example to a channel of the owner',
  testWebhook: 'sends an example to an endpoint of the owner',
  redeliverMessage: 'sends again what the endpoint of the owner was sent',
  subscribe: 'needs the link of the mailbox',
  confirmSubscription: 'needs the link of the mailbox',
  unsubscribe: 'needs the link of the mailbox',
  contactSupport: 'sends a mail to the operator',
  recordPageview: 'counts',
}

describe('every operation that changes something', () => {
  const names = Object.values(table)
    .flatMap((route) => Object.entries(route))
    .flatMap(([method, one]) =>
      method !== 'GET' && method !== 'HEAD' && one.definition !== undefined
        ? [one.definition.operationId]
        : [],
    )

  // security: session-4
  it('is either in the table of sensitive operations or in the table of harmless ones', () => {
    const wrong = names.filter(
      (name) => Object.hasOwn(sensitiveChanges, name) === Object.hasOwn(harmlessChanges, name),
    )
    expect(names.length).toBeGreaterThan(50)
    expect(wrong).toEqual([])
    expect(
      [...Object.keys(sensitiveChanges), ...Object.keys(harmlessChanges)].filter(
        (name) => !names.includes(name),
      ),
    ).toEqual([])
  })

  it('says in the API reference that it is sensitive, with its reason and the case', () => {
    const { paths } = openapiDocument(table, 'test') as {
      paths: Record<string, Record<string, { operationId: string; description: string }>>
    }
    const said = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ description }) => description.includes('A sensitive change, which '))
    expect(said.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(sensitiveChanges).sort())
    for (const { operationId, description } of said) {
      const { why, when } = sensitiveChanges[operationId] ?? {}
      expect(description).toContain(`A sensitive change, which ${why}: ${when}.`)
    }
  })
})

describe('removing a passkey', () => {
  // security: site-11
  it('ends the ten minutes that it gave to other sessions, and keeps the ten minutes of its own session', async () => {
    const owner = await aDuckling()
    const { id, authenticator } = await aPasskey(owner)
    const [thief, own] = [await signInWithPasskey(authenticator), await signInWithPasskey(authenticator)]
    await aPasskeyOf(owner)
    await call('POST /beak/passkey/remove', { token: own, body: { passkey_id: id } })
    const rename = post('POST /beak/handle/claim', { handle: aHandle() })
    expect(refusedFor(await rename(thief))).toEqual(needsPasskey)
    expect((await rename(own)).status).toBe(200)
    expect((await call('GET /beak/profile', { token: thief })).status).toBe(200)
  })

  // security: check-20
  it('needs a passkey proof, also with the session that added it', async () => {
    const owner = await aDuckling()
    const { id, authenticator } = await aPasskey(owner)
    const remove = post('POST /beak/passkey/remove', { passkey_id: id })
    for (const token of [owner.token, await anotherSession(owner)])
      expect(refusedFor(await remove(token))).toEqual(needsPasskey)
    const token = await signInWithPasskey(authenticator)
    await setProofAge(owner.id, 10 * minute + 1)
    expect(refusedFor(await remove(token))).toEqual(needsPasskey)
    const denied = { ducklingId: owner.id, action: 'passkey.removed', outcome: 'denied' }
    expect(await db().auditEvent.count({ where: denied })).toBe(3)
    await setProofAge(owner.id, 10 * minute - 5)
    expect((await remove(token)).status).toBe(200)
  })

  it('needs a recent sign-in when the account has no passkey', async () => {
    const owner = await aDuckling()
    const remove = post('POST /beak/passkey/remove', { passkey_id: 'PK-0000000000000000' })
    expect((await remove(owner.token)).status).toBe(404)
    await setProofAge(owner.id, 10 * minute + 1)
    expect(refusedFor(await remove(owner.token))).toEqual(needsSignIn)
  })
})

describe('a change that is not sensitive', () => {
  it('needs no proof: stricter or unchanged rules, and other properties of the profile', async () => {
    const owner = await aDuckling()
    await aPasskey(owner)
    await setProofAge(owner.id, 60 * minute)
    for (const body of [
      { require_passkey_for_pecks: false, min_peck_tier: 'T1' },
      { require_passkey_for_pecks: true, min_peck_tier: 'T2', bio: 'Dabbles' },
      { require_passkey_for_pecks: true, min_peck_tier: 'T2', directory_visible: false },
    ])
      expect((await call('POST /beak/profile/update', { token: owner.token, body })).status).toBe(200)
  })

  it('needs no proof: a handshake for an agent that the same session registered', async () => {
    const owner = await aDuckling()
    const { agentId } = await anAgent(owner, { bonded: false })
    const { sessionId } = (await owner.context()).caller
    await db().agent.update({ where: { id: agentId }, data: { sessionId } })
    await setProofAge(owner.id, 60 * minute)
    const body = { agent_id: agentId }
    expect((await call('POST /beak/agent/handshake', { token: owner.token, body })).status).toBe(200)
  })

  it('does not weaken a rule that is made stricter at the same time', async () => {
    const owner = await aDuckling()
    await aPasskey(owner)
    const thief = await anotherSession(owner)
    const change = (token: string, value: boolean) =>
      call('POST /beak/profile/update', { token, body: { require_passkey_for_pecks: value } })
    await Promise.all([
      ...Array.from({ length: 10 }, () => change(thief, false)),
      change(owner.token, true),
      ...Array.from({ length: 10 }, () => change(thief, false)),
    ])
    const { requirePasskeyForPecks } = await db().duckling.findUniqueOrThrow({ where: { id: owner.id } })
    expect(requirePasskeyForPecks).toBe(true)
  })
})

describe('the declarations', () => {
  // security: session-3
  it('name fresh_passkey_needed for these endpoints', () => {
    const declared = Object.entries(table).flatMap(([path, route]) =>
      Object.values(route).some((one) => one.definition?.failures?.includes('fresh_passkey_needed'))
        ? [path]
        : [],
    )
    for (const path of [
      '/beak/account/delete',
      '/beak/account/export',
      '/beak/agent/handshake',
      '/beak/agent/resume',
      '/beak/device/approve',
      '/beak/device/deny',
      '/beak/device/view',
      '/beak/email-change',
      '/beak/email-change/undo/cancel',
      '/beak/key/rotate',
      '/beak/passkey/register',
      '/beak/passkey/register/verify',
      '/beak/passkey/remove',
      '/beak/profile/update',
      '/beak/webhook/update',
    ])
      expect(declared).toContain(path)
  })
})
