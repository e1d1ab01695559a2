/** The undo of a change of address ends what a thief has made in the account. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { registerAgent } from '@/lib/domain/agents/credentials'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, through } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { anotherSession, changeAddress, undoLinkTo } from '@/lib/fixtures/accounts'
import { aWebhook } from '@/lib/fixtures/webhooks'

const nowhere = 'http://127.0.0.1:9/nobody-listens'

const undo = (token: string) => call('POST /beak/email-change/undo', { body: { token } })

let owner: ADuckling
/** A session of somebody who reads the mail of the owner. */
let thief: ADuckling
beforeEach(async () => {
  owner = await aDuckling()
  thief = through(owner, await anotherSession(owner))
})

/** The owner opens the link of the mail and signs in again. Returns the session. */
async function comeBack(): Promise<ADuckling> {
  const { status } = await undo(await undoLinkTo(owner.email))
  expect(status).toBe(200)
  await db().otpCode.updateMany({ where: { address: owner.email }, data: { createdAt: new Date(0) } })
  await call('POST /beak/signin/otp', { body: { email: owner.email } })
  const body = { email: owner.email, otp: await codeFor(owner.email) }
  return through(owner, (await call('POST /beak/signin', { body })).body.token)
}

const restored = async () =>
  (
    await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'duckling.email_restored' },
      orderBy: { seq: 'desc' },
    })
  )[0]?.metadata

/** An accomplice asks, and the thief approves in the name of the owner. */
async function stolenPermission() {
  const accomplice = await aDuckling()
  const { peck_id: peckId } = await aPeck(accomplice, owner, { action: 'read:calendar', scope: 'timed' })
  const approved = await call('POST /beak/peck/approve', { token: thief.token, body: { peck_id: peckId } })
  expect(approved.status).toBe(200)
  const seen = await call(`GET /beak/peck/status?peck_id=${peckId}`, { token: accomplice.token })
  return { accomplice, peckId, grant: String(seen.body.grant_token) }
}

const answers = async (key: string) => (await call('GET /beak/profile', { key })).status === 200
const sign = (credentials: { key?: string; token?: string }) =>
  call('POST /beak/sso/issue', {
    ...credentials,
    body: { target_domain: 'shop.example', scope: 'profile' },
  })
const isActive = async (ssoToken: string) =>
  (await call(`GET /beak/sso/verify?token=${ssoToken}`)).body.active as boolean
const isEnabled = async (id: string) =>
  (await db().webhookEndpoint.findUniqueOrThrow({ where: { id } })).enabled

describe('after the undo', () => {
  // security: mail-9
  it('the agent that a thief registered answers no more and issues no sign-on tokens', async () => {
    await changeAddress(thief)
    const agent = await anAgent(thief)
    const { sso_token: issued } = (await sign({ key: agent.beakKey })).body
    await comeBack()
    expect(await answers(agent.beakKey)).toBe(false)
    expect((await sign({ key: agent.beakKey })).status).toBe(403)
    expect(await isActive(issued)).toBe(false)
    expect((await call(`GET /beak/agent/verify?agent_id=${agent.agentId}`)).body.valid).toBe(false)
    expect(await restored()).toMatchObject({ agents: [agent.agentId], sso_tokens: [expect.any(String)] })
  })

  // security: mail-9
  it('the permission that a thief gave to an accomplice works no more, and the accomplice is unknown again', async () => {
    await changeAddress(thief)
    const { accomplice, peckId, grant } = await stolenPermission()
    const back = await comeBack()
    const use = await call('POST /beak/peck/consume', { body: { grant_token: grant } })
    expect([use.status, use.body.current_status]).toEqual([409, 'revoked'])
    expect(await restored()).toMatchObject({ grants_revoked: [peckId] })
    const { body } = await call('GET /beak/peck/askers', { token: back.token })
    expect(body.items).toMatchObject([{ asker: accomplice.id, actions: [{ asked: 1, approved: 0 }] }])
  })

  it('the other side learns of a revoked permission, but not from which network the owner came back', async () => {
    await changeAddress(thief)
    const { accomplice } = await stolenPermission()
    await comeBack()
    const where = { ducklingId: accomplice.id, action: 'peck.revoked' }
    expect(await db().auditEvent.findMany({ where })).toMatchObject([
      {
        actorType: 'duckling',
        actorId: owner.id,
        ip: null,
        userAgent: null,
        requestId: null,
        metadata: { cause: 'email_restored' },
      },
    ])
  })

  // security: mail-9
  it('the webhooks that a thief created or changed send nothing more', async () => {
    const mine = await aWebhook(nowhere, { owner })
    const changed = await aWebhook(nowhere, { owner })
    const rotated = await aWebhook(nowhere, { owner })
    await changeAddress(thief)
    const created = await aWebhook('http://127.0.0.1:9/theirs', { owner: thief })
    const body = { webhook_id: changed.id, url: 'http://127.0.0.1:9/theirs' }
    await call('POST /beak/webhook/update', { token: thief.token, body })
    await call('POST /beak/webhook/rotate-secret', { token: thief.token, body: { webhook_id: rotated.id } })
    const back = await comeBack()
    const stopped = [changed.id, rotated.id, created.id].sort()
    expect(await restored()).toMatchObject({ webhooks: stopped })
    for (const id of stopped) expect(await isEnabled(id)).toBe(false)
    expect(await isEnabled(mine.id)).toBe(true)
    await call('POST /beak/agent/register', {
      token: back.token,
      body: { agent_name: 'New', agent_type: 'assistant', capabilities: ['read:peck'] },
    })
    const sent = await db().webhookDelivery.findMany({
      where: { endpointId: { in: stopped }, status: 'pending' },
    })
    expect(sent).toEqual([])
  })

  it('sign-on tokens, requests, blocks and public receipts of a thief are gone', async () => {
    const friend = await aDuckling()
    const waiting = await aPeck(friend, owner)
    await changeAddress(thief)
    const { sso_token: issued } = (await sign({ token: thief.token })).body
    const asked = await aPeck(thief, await aDuckling())
    const { peckId } = await stolenPermission()
    const share = { peck_id: peckId, values: true }
    await call('POST /beak/peck/share', { token: thief.token, body: share })
    await call('POST /beak/peck/block', { token: thief.token, body: { duckling_id: friend.id } })
    const back = await comeBack()
    expect(await isActive(issued)).toBe(false)
    expect(await restored()).toMatchObject({
      pecks_cancelled: [asked.peck_id],
      shared_receipts: [peckId],
      blocks: [friend.id],
    })
    const { body } = await call('GET /beak/peck/inbox', { token: back.token })
    expect(body.items).toMatchObject([{ peck_id: waiting.peck_id }])
  })

  it('an invitation of a thief works no more, and nobody whom the thief chose may always reach the owner', async () => {
    const friend = await aDuckling()
    await aPeck(friend, owner)
    await changeAddress(thief)
    const { token } = thief
    const { url, invitation_id } = (await call('POST /beak/invitation/create', { token, body: {} })).body
    await call('POST /beak/contact/update', { token, body: { asker: friend.id, note: 'Mine', always: true } })
    const back = await comeBack()
    const body = { target: url, action: 'read:mail', scope: 'limited' }
    const refused = await call('POST /beak/peck/request', { token: (await aDuckling()).token, body })
    expect([refused.status, refused.body.reason]).toEqual([409, 'invitation_revoked'])
    expect(await restored()).toMatchObject({ invitations: [invitation_id], contacts: [friend.id] })
    const { items } = (await call('GET /beak/contact/list', { token: back.token })).body
    expect(items).toMatchObject([{ asker: friend.id, always: false }])
  })

  // security: mail-9
  it('a key that a thief rotated has ended with the requests of its agent, and the agent stays', async () => {
    const agent = await anAgent(owner)
    await changeAddress(thief)
    const body = { agent_id: agent.agentId }
    const rotated = await call('POST /beak/key/rotate', { token: thief.token, body })
    const { peck_id: asked } = (
      await call('POST /beak/peck/request', {
        key: rotated.body.beak_key,
        body: { target_duckling_id: (await aDuckling()).id, action: 'read:mail', scope: 'limited' },
      })
    ).body
    const back = await comeBack()
    expect(await answers(rotated.body.beak_key)).toBe(false)
    expect(await restored()).toMatchObject({
      keys: [rotated.body.key_id],
      agents: [],
      pecks_cancelled: [asked],
    })
    const next = await call('POST /beak/key/rotate', { token: back.token, body })
    expect(await answers(next.body.beak_key)).toBe(true)
  })

  // security: mail-9
  it('an agent that a device prepared and a thief resumed works no more', async () => {
    const device = through(owner, await anotherSession(owner))
    const { sessionId } = (await device.context()).caller
    await db().session.update({ where: { id: sessionId }, data: { amr: ['device'] } })
    const body = { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['read:profile'] }
    const prepared = (await call('POST /beak/agent/register', { token: device.token, body })).body
    expect(prepared.status).toBe('suspended')
    await changeAddress(thief)
    const { agent_id, beak_key: key, handshake_token } = prepared
    await call('POST /beak/agent/resume', { token: thief.token, body: { agent_id } })
    await call('POST /beak/agent/bond', { key, body: { agent_id, handshake_token } })
    expect(await answers(key)).toBe(true)
    await comeBack()
    expect(await answers(key)).toBe(false)
    expect(await restored()).toMatchObject({ agents: [agent_id] })
  })

  // security: mail-9
  it.each([
    ['update', { allow_query_key: true }],
    ['guard', { change: 'off' }],
  ] as const)(
    'an agent that a thief changed by agent/%s waits for its owner, and others do not',
    async (line, change) => {
      const agent = await anAgent(owner, { allowQueryKey: false })
      const other = await anAgent(owner)
      await call('POST /beak/agent/heartbeat', {
        key: agent.beakKey,
        body: { tool: 'claude', version: '2.1.332', computer: 'otter', mode: 'guard', session: 'a1' },
      })
      await changeAddress(thief)
      const body = { agent_id: agent.agentId, ...change }
      expect((await call(`POST /beak/agent/${line}`, { token: thief.token, body })).status).toBe(200)
      await comeBack()
      expect([await answers(agent.beakKey), await answers(other.beakKey)]).toEqual([false, true])
    },
  )

  // security: mail-9
  it('nothing works that the session of the thief prepared before the change', async () => {
    const agent = await anAgent(thief)
    const webhook = await aWebhook(nowhere, { owner: thief })
    const { grant } = await stolenPermission()
    await changeAddress(thief)
    await comeBack()
    expect(await answers(agent.beakKey)).toBe(false)
    expect(await isEnabled(webhook.id)).toBe(false)
    expect((await call('POST /beak/peck/consume', { body: { grant_token: grant } })).status).toBe(409)
  })

  it('nothing works that another session made since the change', async () => {
    const second = through(owner, await anotherSession(owner))
    await changeAddress(thief)
    const agent = await anAgent(second)
    await comeBack()
    expect(await answers(agent.beakKey)).toBe(false)
  })

  it('everything works that other sessions made before the change', async () => {
    const agent = await anAgent(owner)
    const webhook = await aWebhook(nowhere, { owner })
    const friend = await aDuckling()
    const { peck_id: peckId } = await aPeck(friend, owner, { action: 'read:mail', scope: 'timed' })
    await call('POST /beak/peck/approve', { token: owner.token, body: { peck_id: peckId } })
    const where = { targetDucklingId: owner.id }
    const history = await db().askerHistory.findMany({ where })
    const { grant_token: grant } = (
      await call(`GET /beak/peck/status?peck_id=${peckId}`, { token: friend.token })
    ).body
    await changeAddress(thief)
    await comeBack()
    expect(await answers(agent.beakKey)).toBe(true)
    expect(await isEnabled(webhook.id)).toBe(true)
    expect((await call('POST /beak/peck/consume', { body: { grant_token: grant } })).status).toBe(200)
    expect(await db().askerHistory.findMany({ where })).toEqual(history)
    expect(await restored()).toMatchObject({ agents: [], webhooks: [], keys: [], grants_revoked: [] })
  })

  it('a command of the thief that was running fails', async () => {
    await changeAddress(thief)
    const link = await undoLinkTo(owner.email)
    // The command is authenticated before the undo, and commits after it.
    const context = await thief.context()
    await undo(link)
    const late = registerAgent(context, {
      name: 'Late',
      type: 'assistant',
      capabilities: ['read:peck'],
      allowQueryKey: true,
      asksOthers: true,
    })
    await expect(late).rejects.toMatchObject({ failure: 'session_invalid' })
  })

  // security: mail-9
  it('nothing is left of 48 changes at the moment of the undo', async () => {
    await changeAddress(thief)
    const link = await undoLinkTo(owner.email)
    const { token } = thief
    const strike = (n: number) =>
      n % 2 === 0
        ? call('POST /beak/agent/register', {
            token,
            body: { agent_name: `Agent ${n}`, agent_type: 'assistant', capabilities: ['read:peck'] },
          })
        : call('POST /beak/webhook/create', { token, body: { url: `http://127.0.0.1:9/${n}` } })
    const [undone] = await Promise.all([undo(link), ...Array.from({ length: 48 }, (_, n) => strike(n))])
    expect(undone.status).toBe(200)
    const mine = { ducklingId: owner.id }
    expect({
      agents: await db().agent.count({ where: { ...mine, status: { not: 'suspended' } } }),
      webhooks: await db().webhookEndpoint.count({ where: { ...mine, enabled: true } }),
      sessions: await db().session.count({ where: { ...mine, revokedAt: null } }),
    }).toEqual({ agents: 0, webhooks: 0, sessions: 0 })
  })
})

describe('the mail about the undo', () => {
  it('lists what was removed, without links that a thief put into a name', async () => {
    await changeAddress(thief)
    await anAgent(thief, { name: 'Visit evil.example now' })
    await aWebhook('http://127.0.0.1:9/evil', { owner: thief })
    await aPasskey(thief)
    await stolenPermission()
    await call('POST /beak/profile/update', { token: thief.token, body: { bio: 'Send money' } })
    await comeBack()
    const mail = (await sentTo(owner.email)).find(({ kind }) => kind === 'email_restored')
    expect(mail?.text).toContain('- Agents paused: 1 ("Visit [link removed] now")\n')
    expect(mail?.text).toContain('- Webhooks switched off: 1\n')
    expect(mail?.text).toContain('- Passkeys removed: 1\n')
    expect(mail?.text).toContain('- Permissions revoked: 1')
    expect(mail?.text.replaceAll('\n', ' ')).toContain('as they are: profile and rules for requests')
    expect(mail?.text).not.toContain('evil')
  })
})

describe('the owner keeps single things', () => {
  /** The owner made these since the change. */
  async function held() {
    const second = through(owner, await anotherSession(owner))
    await changeAddress(thief)
    const agent = await anAgent(second)
    const webhook = await aWebhook(nowhere, { owner: second })
    return { agent, webhook, back: await comeBack() }
  }
  const resume = (token: string, agentId: string) =>
    call('POST /beak/agent/resume', { token, body: { agent_id: agentId } })
  const enable = (token: string, id: string) =>
    call('POST /beak/webhook/update', { token, body: { webhook_id: id, enabled: true } })
  const makeOld = (data: { authTime: Date }) =>
    db().session.updateMany({ where: { ducklingId: owner.id }, data })

  it('resumes an agent and enables a webhook after a recent sign-in', async () => {
    const { agent, webhook, back } = await held()
    expect((await resume(back.token, agent.agentId)).body.status).toBe('bonded')
    expect(await answers(agent.beakKey)).toBe(true)
    expect((await enable(back.token, webhook.id)).body).toMatchObject({
      enabled: true,
      disabled_reason: null,
    })
  })

  it('needs a recent proof', async () => {
    const { agent, webhook, back } = await held()
    await makeOld({ authTime: new Date(0) })
    for (const answer of [await resume(back.token, agent.agentId), await enable(back.token, webhook.id)])
      expect([answer.status, answer.body.reason]).toEqual([403, 'fresh_sign_in_needed'])
    expect(await answers(agent.beakKey)).toBe(false)
    expect(await isEnabled(webhook.id)).toBe(false)
  })

  // security: mail-9
  it('needs a recent proof also for an agent that a thief had suspended', async () => {
    await changeAddress(thief)
    const agent = await anAgent(thief)
    const body = { agent_id: agent.agentId }
    await call('POST /beak/agent/suspend', { token: thief.token, body })
    const back = await comeBack()
    await makeOld({ authTime: new Date(0) })
    expect((await resume(back.token, agent.agentId)).body.reason).toBe('fresh_sign_in_needed')
  })
})
