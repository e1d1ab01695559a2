import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { eventSentence, plainText } from '@/app/_web/event-sentence'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { claimHandle } from '@/lib/domain/identity/claim-handle'
import { updateProfile } from '@/lib/domain/identity/update-profile'
import { requestPeck } from '@/lib/domain/pecks/request/request'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, aHandle, randomEmail, through } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { acquaint, anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aFullAccount, anotherSession } from '@/lib/fixtures/accounts'
import { inServer } from '@/lib/fixtures/operator'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { drainOutbox } from '@/lib/worker/start'

const run = inServer('account')

const suspended = { status: 403, body: { code: 'E4007', reason: 'account_suspended' } }
const use = (grant_token: string) => call('POST /beak/peck/consume', { body: { grant_token, params: {} } })
const ask = (key: string, target_duckling_id: string) =>
  call('POST /beak/peck/request', {
    key,
    body: { target_duckling_id, action: 'read:nest', scope: 'limited' },
  })

/** Signs up with a password and confirms the address. */
async function withPassword() {
  const [email, password] = [randomEmail(), randomBytes(12).toString('hex')]
  const { body } = await call('POST /beak/signup', { body: { email, password } })
  await call('POST /beak/verify-email', { token: body.token, body: { otp: await codeFor(email) } })
  return { id: body.duckling_id as string, email, password, token: body.token as string }
}

describe('account suspend', () => {
  it('ends sessions, and refuses each right credential with a reason', async () => {
    const { id, email, password, token } = await withPassword()
    expect(await run('suspend', email, '--reason', 'Your agent "floods" us')).toMatchObject({ code: 0 })
    expect((await call('GET /beak/profile', { token })).status).toBe(401)
    expect(await call('POST /beak/signin', { body: { email, password } })).toMatchObject(suspended)
    await call('POST /beak/signin/otp', { body: { email } })
    const otp = await codeFor(email)
    expect(await call('POST /beak/signin', { body: { email, otp } })).toMatchObject(suspended)
    // Nobody else learns of it.
    const wrong = await call('POST /beak/signin', { body: { email, password: 'not the password' } })
    expect([wrong.status, wrong.body.reason]).toEqual([401, 'sign_in_failed'])
    expect(await db().session.count({ where: { ducklingId: id, revokedAt: null } })).toBe(0)
    const mail = (await sentTo(email)).find(({ subject }) => subject === 'Your account was suspended')
    expect(mail?.text).toContain('The host wrote: "Your agent floods us"')
  })

  it('refuses a passkey', async () => {
    const owner = await aDuckling()
    const { authenticator } = await aPasskey(owner)
    await run('suspend', owner.id)
    const options = (await call('POST /beak/passkey/login/options')).body
    const answer = await call('POST /beak/passkey/login', {
      body: { credential: authenticator.get(options) },
    })
    expect(answer).toMatchObject(suspended)
  })

  // security: backup-14
  it('stops agents, permissions on both sides and SSO tokens, and lets them work again', async () => {
    const { owner, other, agent, grants, agentSsoToken } = await aFullAccount()
    const state = async () => ({
      key: (await call('GET /beak/cert/view', { key: agent.beakKey })).status,
      agent: (await call(`GET /beak/agent/verify?agent_id=${agent.agentId}`)).body.status,
      given: (
        await call('POST /beak/peck/check', { body: { grant_token: grants.given.grant_token, params: {} } })
      ).status,
      byAgent: (
        await call('POST /beak/peck/check', { body: { grant_token: grants.byAgent.grant_token, params: {} } })
      ).status,
      sso: (await call(`GET /beak/sso/verify?token=${agentSsoToken}`)).body.active,
    })
    const before = { key: 200, agent: 'bonded', given: 200, byAgent: 200, sso: true }
    expect(await state()).toEqual(before)
    expect((await run('suspend', owner.id)).code).toBe(0)
    expect(await state()).toEqual({ key: 403, agent: 'suspended', given: 409, byAgent: 409, sso: false })
    expect(await ask(agent.beakKey, other.id)).toMatchObject(suspended)
    expect((await use(grants.byAgent.grant_token)).body).toMatchObject({
      reason: 'grant_not_active',
      current_status: 'suspended',
    })
    expect((await run('find', owner.id)).output).toMatch(/state +suspended since /)
    expect((await run('resume', owner.id)).code).toBe(0)
    expect(await state()).toEqual(before)
    expect((await use(grants.byAgent.grant_token)).status).toBe(200)
  })

  it('lets requests wait, mails nothing about them, and shows the account to no stranger', async () => {
    const [owner, open, other] = [await aDuckling(), await aDuckling(), await aDuckling()]
    for (const target of [owner, open]) await acquaint(target, other.id)
    await run('suspend', owner.id)
    const listed = await db().duckling.findUniqueOrThrow({ where: { id: owner.id } })
    expect(listed.listed).toBe(false)
    const { peck_id } = await aPeck(other, owner)
    expect(await db().peckMail.count({ where: { ducklingId: owner.id } })).toBe(0)
    await aPeck(other, open)
    expect(await db().peckMail.count({ where: { ducklingId: open.id } })).toBe(1)
    await run('resume', owner.id)
    const token = await anotherSession(owner)
    const { body } = await call('GET /beak/peck/inbox', { token })
    expect(body.items.map((peck: { peck_id: string }) => peck.peck_id)).toEqual([peck_id])
    expect((await db().duckling.findUniqueOrThrow({ where: { id: owner.id } })).listed).toBe(true)
  })

  it('names no agent of the account to those who still find it by its handle', async () => {
    const [owner, other] = [await aDuckling(), await aDuckling()]
    const { agentId } = await anAgent(owner)
    await acquaint(owner, other.id)
    const handle = aHandle()
    await claimHandle(await owner.context(), handle)
    const namedAgents = async () => {
      const { body } = await call(`GET /beak/handle/view?handle=${handle}`, { token: other.token })
      return body.agents.map((agent: { agent_id: string }) => agent.agent_id)
    }
    expect(await namedAgents()).toEqual([agentId])
    await run('suspend', owner.id)
    expect(await namedAgents()).toEqual([])
    await run('resume', owner.id)
    expect(await namedAgents()).toEqual([agentId])
  })

  it('lets webhooks wait until it is resumed', async () => {
    const [owner, other] = [await aDuckling(), await aDuckling()]
    await aWebhook('http://127.0.0.1:9/nobody-listens', { owner })
    await run('suspend', owner.id)
    await aPeck(other, owner)
    await drainOutbox()
    const attempts = async () =>
      (await db().outbox.findMany({ where: { ducklingId: owner.id, kind: 'webhook' } })).map(
        (row) => row.attempts,
      )
    expect(await attempts()).toEqual([0])
    await run('resume', owner.id)
    await drainOutbox()
    expect(await attempts()).toEqual([1])
  })

  it('is told in the log and by mail, counts once, and keeps what the owner could not keep', async () => {
    const owner = await aDuckling()
    await aPasskey(owner)
    const { id: ducklingId } = owner
    const now = new Date()
    await db().passkeyRecovery.create({
      data: { id: `REC-${ducklingId.slice(5)}`, ducklingId, sessionId: 'SESS-1', createdAt: now, dueAt: now },
    })
    const answers = await Promise.all([run('suspend', ducklingId), run('suspend', ducklingId)])
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(await db().passkeyRecovery.count({ where: { ducklingId } })).toBe(0)
    await Promise.all([run('resume', ducklingId), run('resume', ducklingId)])
    const { body } = await call('GET /beak/audit?limit=5', { token: await anotherSession(owner) })
    const words = body.items.map((event: Parameters<typeof eventSentence>[0]) =>
      plainText(eventSentence(event, { id: ducklingId, names: {} })),
    )
    expect(words.slice(1, 5)).toEqual([
      'The host resumed the account',
      'The host suspended the account',
      'The host cancelled the removal of all passkeys',
      'The host signed out a device',
    ])
    expect((await sentTo(owner.email)).map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['Your account was suspended', 'Your account works again']),
    )
    expect(await run('resume', ducklingId)).toEqual({ code: 1, output: `${ducklingId} is not suspended.` })
  })

  // security: backup-14
  it('leaves no living session when people sign in and permissions are used at the same moment', async () => {
    const { id, email, password, token } = await withPassword()
    const asker = await aDuckling()
    const owner = through({ ...asker, id, email }, token)
    const grant = await anApprovedPeck(asker, owner, { scope: 'timed' })
    const signIns = () =>
      Promise.all(Array.from({ length: 12 }, () => call('POST /beak/signin', { body: { email, password } })))
    const uses = () => Promise.all(Array.from({ length: 12 }, () => use(grant.grant_token)))
    const [answers] = await Promise.all([signIns(), uses(), run('suspend', id)])
    expect(await db().session.count({ where: { ducklingId: id, revokedAt: null } })).toBe(0)
    for (const { body } of answers)
      if (body.token) expect((await call('GET /beak/profile', { token: body.token })).status).toBe(401)
    expect((await use(grant.grant_token)).status).toBe(409)
    const { uses: counted } = await db().peck.findUniqueOrThrow({ where: { id: grant.peck_id } })
    expect(
      await db().auditEvent.count({ where: { ducklingId: id, action: 'peck.consumed', outcome: 'success' } }),
    ).toBe(counted)
  })

  // security: backup-14
  it('fails commands that were authenticated before, of a session and of an agent', async () => {
    const [owner, other] = [await aDuckling(), await aDuckling()]
    const agent = await anAgent(owner)
    const [asOwner, asAgent] = [await owner.context(), await agent.context()]
    await run('suspend', owner.id)
    const request = {
      targetDucklingId: other.id,
      action: 'read:nest',
      scope: 'limited',
      params: {},
      message: undefined,
      expiresIn: 3600,
      grantExpiresIn: undefined,
      paramTypes: undefined,
      audience: undefined,
    } as const
    await expect(requestPeck(asAgent, request)).rejects.toMatchObject({ failure: 'beak_key_invalid' })
    await expect(updateProfile(asOwner, { bio: 'I am still here' })).rejects.toMatchObject({
      failure: 'session_invalid',
    })
    expect(await db().peck.count({ where: { requesterDucklingId: owner.id } })).toBe(0)
  })
})
