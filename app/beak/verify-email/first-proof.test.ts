/** The first proof of an address removes what a stranger set up with it before. */
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { registerAgent } from '@/lib/domain/agents/credentials'
import { startSignIn } from '@/lib/domain/passkeys/sign-in'
import { anAgent } from '@/lib/factories/agents'
import {
  type ADuckling,
  aDuckling,
  aNetwork,
  anonymously,
  randomEmail,
  through,
} from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { forgetStopped } from '@/lib/infrastructure/events/chain'
import type { DucklingContext } from '@/lib/kernel/request/context'
import type { FailureName } from '@/lib/kernel/request/failures'

const password = 'gently paddling upstream'

/** Signs up with a password, which leaves the account at T0. */
async function withPassword(): Promise<ADuckling> {
  const email = randomEmail()
  const { body } = await call('POST /beak/signup', { body: { email, password } })
  const nobody = { id: body.duckling_id, email, displayName: '', token: '', context: () => Promise.reject() }
  return through(nobody, body.token)
}

/** The owner of the address signs in with a mailed code. Returns the token. */
async function signInByCode(email: string): Promise<string> {
  await call('POST /beak/signin/otp', { body: { email } })
  const { status, body } = await call('POST /beak/signin', { body: { email, otp: await codeFor(email) } })
  expect(status).toBe(200)
  return body.token
}

const verify = async (token: string, email: string) =>
  call('POST /beak/verify-email', { token, body: { otp: await codeFor(email) } })

const reclaimed = (ducklingId: string) =>
  db().auditEvent.findMany({ where: { ducklingId, action: 'account.reclaimed' } })

/** Everything a stranger can set up at T0. */
async function setUp(stranger: ADuckling) {
  await call('POST /beak/profile/update', {
    token: stranger.token,
    body: { bio: 'Send money to me', min_peck_tier: 'T0', directory_visible: false },
  })
  const { authenticator } = await aPasskey(stranger)
  const agent = await anAgent(stranger)
  const webhook = await aWebhook('http://127.0.0.1:9/nobody-listens', { owner: stranger })
  const sso = await call('POST /beak/sso/issue', {
    token: stranger.token,
    body: { target_domain: 'shop.example', scope: 'profile' },
  })
  const another = await call('POST /beak/signin', { body: { email: stranger.email, password } })
  return { authenticator, agent, webhook, ssoToken: sso.body.sso_token, anotherToken: another.body.token }
}

async function signInByPasskey({
  authenticator,
}: {
  authenticator: Awaited<ReturnType<typeof aPasskey>>['authenticator']
}) {
  const credential = authenticator.get(await startSignIn(anonymously()))
  return call('POST /beak/passkey/login', { body: { credential } })
}

// security: stranger-8
it('refuses the token of a permission that another session could read, and keeps the permission', async () => {
  const [owner, friend] = [await withPassword(), await aDuckling()]
  const other = (await call('POST /beak/signin', { body: { email: owner.email, password } })).body.token
  await db().duckling.update({ where: { id: friend.id }, data: { minPeckTier: 'T0' } })
  const { peck_id } = await aPeck(owner, friend, { action: 'read:calendar', scope: 'timed', params: {} })
  await call('POST /beak/peck/approve', { token: friend.token, body: { peck_id } })
  const read = async (token: string) =>
    (await call(`GET /beak/peck/status?peck_id=${peck_id}`, { token })).body.grant_token
  const use = async (grant_token: string) =>
    (await call('POST /beak/peck/consume', { body: { grant_token, params: {} } })).status
  const stolen = await read(other)
  expect((await verify(owner.token, owner.email)).status).toBe(200)
  expect([await use(stolen), await use(await read(owner.token))]).toEqual([401, 200])
})

describe('a sign-in by code proves the address', () => {
  // security: stranger-8
  it('removes everything that a stranger set up with the address before', async () => {
    const stranger = await withPassword()
    const left = await setUp(stranger)
    const token = await signInByCode(stranger.email)

    for (const old of [stranger.token, left.anotherToken])
      expect((await call('GET /beak/profile', { token: old })).status).toBe(401)
    expect((await call('POST /beak/signin', { body: { email: stranger.email, password } })).status).toBe(401)
    expect((await signInByPasskey(left)).status).toBe(401)
    expect((await call('GET /beak/profile', { key: left.agent.beakKey })).body.code).toBe('E4001')
    expect((await call(`GET /beak/agent/verify?agent_id=${left.agent.agentId}`)).body.valid).toBe(false)
    expect((await call(`GET /beak/sso/verify?token=${left.ssoToken}`)).body).toEqual({ active: false })
    for (const list of ['agent/list', 'passkey/list', 'webhook/list'])
      expect((await call(`GET /beak/${list}`, { token })).body.items).toEqual([])
    expect((await call('GET /beak/session/list', { token })).body.items).toHaveLength(1)
  })

  it('resets the settings, records what was removed, and mails the owner once', async () => {
    const stranger = await withPassword()
    const left = await setUp(stranger)
    const token = await signInByCode(stranger.email)
    expect((await call('GET /beak/profile', { token })).body).toMatchObject({
      bio: null,
      min_peck_tier: 'T1',
      directory_visible: true,
    })
    const events = await reclaimed(stranger.id)
    expect(events).toHaveLength(1)
    expect(events[0]?.metadata).toMatchObject({
      agents: [left.agent.agentId],
      keys: [left.agent.keyId],
      webhooks: [left.webhook.id],
      password: true,
      settings: true,
    })
    const kinds = (await sentTo(stranger.email)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => !kind.endsWith('_code'))).toEqual(['account_reclaimed'])
  })

  it('does not raise the tier, which only verify-email does', async () => {
    const stranger = await withPassword()
    const token = await signInByCode(stranger.email)
    expect((await call('GET /beak/profile', { token })).body.trust_tier).toBe('T0')
    await call('POST /beak/verify-email/resend', { token })
    expect((await verify(token, stranger.email)).body.trust_tier).toBe('T1')
  })

  it('cancels requests that the stranger sent and revokes permissions that the stranger gave', async () => {
    const stranger = await withPassword()
    const accomplice = await aDuckling()
    const sent = await aPeck(stranger, await targetForT0())
    const given = await anApprovedPeck(accomplice, stranger, { action: 'read:calendar', scope: 'timed' })
    await signInByCode(stranger.email)
    expect((await db().peck.findUniqueOrThrow({ where: { id: sent.peck_id } })).status).toBe('cancelled')
    const use = await call('POST /beak/peck/consume', { body: { grant_token: given.grant_token } })
    expect([use.status, use.body.current_status]).toEqual([409, 'revoked'])
  })

  it('forgets what a stranger approved, so that the accomplice is unknown to the risk rules', async () => {
    const stranger = await withPassword()
    const accomplice = await aDuckling()
    await anApprovedPeck(accomplice, stranger, { action: 'read:calendar', params: { folder: 'all' } })
    const token = await signInByCode(stranger.email)
    const { body } = await call('GET /beak/peck/askers', { token })
    expect(body.items).toMatchObject([
      {
        asker: accomplice.id,
        actions: [{ action: 'read:calendar', asked: 1, approved: 0, approved_at: null }],
      },
    ])
    const where = { targetDucklingId: stranger.id }
    expect(await db().askerHistory.findMany({ where })).toMatchObject([{ approvedParams: null }])
    const next = await aPeck(accomplice, through(stranger, token), { action: 'read:calendar' })
    const { risk } = (await call(`GET /beak/peck/status?peck_id=${next.peck_id}`, { token })).body
    expect(risk.novelty.map(({ rule }: { rule: string }) => rule)).toContain('first_time_asker')
  })

  it('makes receipts private that a stranger shared', async () => {
    const stranger = await withPassword()
    const given = await anApprovedPeck(await aDuckling(), stranger)
    const share = { peck_id: given.peck_id, values: true }
    const { status } = await call('POST /beak/peck/share', { token: stranger.token, body: share })
    expect(status).toBe(200)
    await signInByCode(stranger.email)
    expect(await db().sharedReceipt.count({ where: { ducklingId: stranger.id } })).toBe(0)
    expect((await reclaimed(stranger.id))[0]?.metadata).toMatchObject({ shared_receipts: [given.peck_id] })
  })

  it('removes the blocks of a stranger and shows the waiting requests that they had hidden', async () => {
    const stranger = await withPassword()
    const friend = await aDuckling()
    const waiting = await aPeck(friend, stranger)
    const blockBody = { duckling_id: friend.id }
    await call('POST /beak/peck/block', { token: stranger.token, body: blockBody })
    const token = await signInByCode(stranger.email)
    const { body } = await call('GET /beak/peck/inbox', { token })
    expect(body.items).toMatchObject([{ peck_id: waiting.peck_id }])
    expect((await reclaimed(stranger.id))[0]?.metadata).toMatchObject({ pecks_shown: [waiting.peck_id] })
  })

  it('voids the codes that a stranger sent to other addresses, and still counts them for the limit', async () => {
    const stranger = await withPassword()
    const address = randomEmail()
    const home = aNetwork()
    const ask = (token: string) =>
      call('POST /beak/email-change', { token, body: { new_email: address }, from: home() })
    for (let n = 0; n < 3; n++) expect((await ask(stranger.token)).status).toBe(200)
    const token = await signInByCode(stranger.email)
    expect((await ask(token)).status).toBe(429)
    const codes = { ducklingId: stranger.id, purpose: 'email_change' } as const
    expect(await db().otpCode.count({ where: { ...codes, deadAt: null } })).toBe(0)
  })

  it('removes nothing at a later sign-in by code', async () => {
    const owner = await withPassword()
    const token = await signInByCode(owner.email)
    const proven = through(owner, token)
    const agent = await anAgent(proven)
    await db().otpCode.updateMany({ where: { address: owner.email }, data: { createdAt: new Date(0) } })
    const second = await signInByCode(owner.email)
    await call('POST /beak/verify-email/resend', { token: second })
    expect((await call('GET /beak/profile', { token })).status).toBe(200)
    expect((await call('GET /beak/profile', { key: agent.beakKey })).status).toBe(200)
    expect((await verify(second, owner.email)).status).toBe(200)
    expect((await call('GET /beak/profile', { token })).status).toBe(200)
  })

  it('records no account.reclaimed when only the session of the sign-up ends', async () => {
    const owner = await aDuckling({ tier: 'T0' })
    const token = await signInByCode(owner.email)
    expect((await call('GET /beak/profile', { token: owner.token })).status).toBe(401)
    expect((await call('GET /beak/profile', { token })).body.email_verified).toBe(true)
    expect(await reclaimed(owner.id)).toEqual([])
    expect((await sentTo(owner.email)).every(({ kind }) => kind.endsWith('_code'))).toBe(true)
  })
})

/** Returns a duckling that accepts pecks of askers at T0. */
async function targetForT0(): Promise<ADuckling> {
  const target = await aDuckling()
  await call('POST /beak/profile/update', { token: target.token, body: { min_peck_tier: 'T0' } })
  return target
}

describe('verify-email proves the address', () => {
  it('keeps everything when one session made it all', async () => {
    const owner = await withPassword()
    const { authenticator } = await aPasskey(owner)
    const agent = await anAgent(owner)
    await aWebhook('http://127.0.0.1:9/nobody-listens', { owner })
    await call('POST /beak/profile/update', { token: owner.token, body: { bio: 'I like ponds' } })
    const sent = await aPeck(owner, await targetForT0())
    const given = await anApprovedPeck(await aDuckling(), owner, { action: 'read:calendar', scope: 'timed' })
    const share = { peck_id: given.peck_id, values: false }
    await call('POST /beak/peck/share', { token: owner.token, body: share })
    const where = { targetDucklingId: owner.id }
    const history = await db().askerHistory.findMany({ where })
    expect((await verify(owner.token, owner.email)).status).toBe(200)

    expect(await db().askerHistory.findMany({ where })).toEqual(history)
    expect(history).toMatchObject([{ asked: 1, approved: 1 }])
    expect(await db().sharedReceipt.count({ where: { ducklingId: owner.id } })).toBe(1)
    expect((await call('GET /beak/profile', { token: owner.token })).body.bio).toBe('I like ponds')
    expect((await call('GET /beak/profile', { key: agent.beakKey })).status).toBe(200)
    expect((await call('GET /beak/webhook/list', { token: owner.token })).body.items).toHaveLength(1)
    expect((await call('POST /beak/signin', { body: { email: owner.email, password } })).status).toBe(200)
    expect((await signInByPasskey({ authenticator })).status).toBe(200)
    expect((await db().peck.findUniqueOrThrow({ where: { id: sent.peck_id } })).status).toBe('pending')
    const use = await call('POST /beak/peck/consume', { body: { grant_token: given.grant_token } })
    expect(use.status).toBe(200)
    expect(await reclaimed(owner.id)).toEqual([])
  })

  it('raises the tier once, even when something of another session is removed', async () => {
    const owner = await withPassword()
    await call('POST /beak/signin', { body: { email: owner.email, password } })
    expect((await verify(owner.token, owner.email)).body.trust_tier).toBe('T1')
    expect(await reclaimed(owner.id)).toHaveLength(1)
    expect((await call('GET /beak/profile', { token: owner.token })).body.trust_tier).toBe('T1')
    const raised = { ducklingId: owner.id, action: 'trust.elevated' }
    expect(await db().auditEvent.count({ where: raised })).toBe(1)
  })

  it('ends other sessions and removes what they made or changed, and keeps what the proving session made', async () => {
    const owner = await withPassword()
    const kept = await anAgent(owner, { name: 'Kept' })
    const rotated = await anAgent(owner, { name: 'Rotated by another' })
    const mine = await aWebhook('http://127.0.0.1:9/mine', { owner })
    const changed = await aWebhook('http://127.0.0.1:9/changed', { owner })
    const { body: other } = await call('POST /beak/signin', { body: { email: owner.email, password } })
    const stranger = through(owner, other.token)
    const otherAgent = await anAgent(stranger, { name: 'Theirs' })
    const { body: key } = await call('POST /beak/key/rotate', {
      token: stranger.token,
      body: { agent_id: rotated.agentId },
    })
    await call('POST /beak/webhook/update', {
      token: stranger.token,
      body: { webhook_id: changed.id, url: 'http://127.0.0.1:9/theirs' },
    })
    expect((await verify(owner.token, owner.email)).status).toBe(200)

    expect((await call('GET /beak/profile', { token: stranger.token })).status).toBe(401)
    for (const dead of [otherAgent.beakKey, key.beak_key])
      expect((await call('GET /beak/profile', { key: dead })).body.code).toBe('E4001')
    expect((await call('GET /beak/profile', { key: kept.beakKey })).status).toBe(200)
    const { body: hooks } = await call('GET /beak/webhook/list', { token: owner.token })
    expect(hooks.items.map((hook: { webhook_id: string }) => hook.webhook_id)).toEqual([mine.id])
    expect((await reclaimed(owner.id))[0]?.metadata).toMatchObject({
      agents: [otherAgent.agentId],
      webhooks: [changed.id],
      password: false,
    })
  })
})

describe('email-change proves the address', () => {
  it('removes what other sessions made', async () => {
    const owner = await withPassword()
    const { body: other } = await call('POST /beak/signin', { body: { email: owner.email, password } })
    const otherAgent = await anAgent(through(owner, other.token))
    const address = randomEmail()
    await call('POST /beak/email-change', { token: owner.token, body: { new_email: address } })
    const otp = await codeFor(address)
    const change = await call('POST /beak/email-change', {
      token: owner.token,
      body: { new_email: address, otp },
    })
    expect(change.status).toBe(200)
    expect((await call('GET /beak/profile', { key: otherAgent.beakKey })).status).toBe(401)
    expect((await call('GET /beak/profile', { token: other.token })).status).toBe(401)
  })
})

/** Runs a command with a context that was authenticated before the proof. */
const registerLate = (context: DucklingContext<FailureName>) =>
  registerAgent(context, {
    name: 'Late',
    type: 'assistant',
    capabilities: ['read:peck'],
    allowQueryKey: true,
    asksOthers: true,
  })

describe('races', () => {
  it('refuses a command of another session that was running during the proof', async () => {
    const stranger = await withPassword()
    // The command is authenticated before the proof, and commits after it.
    const context = await stranger.context()
    await signInByCode(stranger.email)
    await expect(registerLate(context)).rejects.toMatchObject({ failure: 'session_invalid' })
    expect(await db().agent.count({ where: { ducklingId: stranger.id } })).toBe(0)
  })

  it('refuses a running command of a session that signed out just before the proof', async () => {
    const owner = await withPassword()
    const { body: other } = await call('POST /beak/signin', { body: { email: owner.email, password } })
    const context = await through(owner, other.token).context()
    await call('POST /beak/signout', { token: other.token })
    expect((await verify(owner.token, owner.email)).status).toBe(200)
    await expect(registerLate(context)).rejects.toMatchObject({ failure: 'session_invalid' })
  })

  it('deletes the list of stopped sessions when none of their commands can be running', async () => {
    const stranger = await withPassword()
    await signInByCode(stranger.email)
    const stopped = async () =>
      (await db().auditChain.findUniqueOrThrow({ where: { ducklingId: stranger.id } })).stoppedSessions.length
    expect(await stopped()).toBe(1)
    const jobs = await db().outbox.findMany({ where: { kind: 'forget_stopped' } })
    const job = jobs.find(({ payload }) => JSON.stringify(payload).includes(stranger.id))
    await forgetStopped(job?.payload as { duckling_id: string })
    expect(await stopped()).toBe(0)
  })

  // security: stranger-8
  it('leaves nothing of a stranger who makes 48 changes at the moment of the proof', async () => {
    const stranger = await withPassword()
    const { authenticator } = await aPasskey(stranger)
    await call('POST /beak/signin/otp', { body: { email: stranger.email } })
    const otp = await codeFor(stranger.email)
    const { token } = stranger
    const strike = (n: number) =>
      [
        () =>
          call('POST /beak/agent/register', {
            token,
            body: { agent_name: `Agent ${n}`, agent_type: 'assistant', capabilities: ['read:peck'] },
          }),
        () => call('POST /beak/webhook/create', { token, body: { url: `http://127.0.0.1:9/${n}` } }),
        () => call('POST /beak/signin', { body: { email: stranger.email, password } }),
        () => signInByPasskey({ authenticator }),
      ][n % 4]?.()
    const strikes = Array.from({ length: 48 }, (_, n) => strike(n))
    const [proof] = await Promise.all([
      call('POST /beak/signin', { body: { email: stranger.email, otp } }),
      ...strikes,
    ])
    expect(proof.status).toBe(200)
    const mine = { ducklingId: stranger.id }
    const live = { ...mine, revokedAt: null }
    expect({
      sessions: await db().session.count({ where: live }),
      agents: await db().agent.count({ where: { ...mine, status: { not: 'deregistered' } } }),
      webhooks: await db().webhookEndpoint.count({ where: mine }),
      passkeys: await db().passkey.count({ where: mine }),
    }).toEqual({ sessions: 1, agents: 0, webhooks: 0, passkeys: 0 })
    expect((await call('GET /beak/profile', { token: proof.body.token })).status).toBe(200)
  })
})
