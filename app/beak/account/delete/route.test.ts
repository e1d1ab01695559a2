import { findChainFaults } from '@beak/proofs/audit/chain'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { closeAccount } from '@/lib/domain/accounts/close'
import { presentEvent } from '@/lib/domain/audit/schema'
import { expirePeck } from '@/lib/domain/pecks/record'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, aNetwork } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPeck } from '@/lib/factories/pecks'
import { aFullAccount, anotherSession } from '@/lib/fixtures/accounts'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'

const close = (token: string) => call('POST /beak/account/delete', { token })

/** Counts rows of the duckling that are still in effect, by table. Empty when none is left. */
async function stillLive(id: string): Promise<Record<string, number>> {
  const now = new Date()
  const agentIds = (await db().agent.findMany({ where: { ducklingId: id } })).map((agent) => agent.id)
  const either = [{ requesterDucklingId: id }, { targetDucklingId: id }]
  const live = {
    sessions: await db().session.count({
      where: { ducklingId: id, revokedAt: null, expiresAt: { gt: now } },
    }),
    passkeys: await db().passkey.count({ where: { ducklingId: id } }),
    ceremonies: await db().ceremony.count({ where: { ducklingId: id } }),
    codes: await db().otpCode.count({ where: { ducklingId: id } }),
    guards: await db().otpGuard.count({ where: { subject: id } }),
    certificates: await db().certificate.count({
      where: { OR: [{ activeFor: id }, { ducklingId: id, status: 'active' }] },
    }),
    agents: await db().agent.count({ where: { ducklingId: id, status: { not: 'deregistered' } } }),
    keys: await db().beakKey.count({
      where: { agentId: { in: agentIds }, OR: [{ retiredAt: null }, { activeFor: { not: null } }] },
    }),
    handshakes: await db().handshake.count({ where: { agentId: { in: agentIds } } }),
    pecks: await db().peck.count({
      where: { AND: [{ OR: either }, { OR: [{ status: 'pending' }, { pendingKey: { not: null } }] }] },
    }),
    grants: await db().peck.count({ where: { status: 'approved', grantRevokedAt: null, OR: either } }),
    blocks: await db().peckBlock.count({ where: { ducklingId: id } }),
    notices: await db().peckNotice.count({ where: { ducklingId: id } }),
    sso: await db().ssoToken.count({ where: { ducklingId: id, revokedAt: null } }),
    webhooks: await db().webhookEndpoint.count({ where: { ducklingId: id, enabled: true } }),
    deliveries: await db().webhookDelivery.count({
      where: { endpoint: { ducklingId: id }, status: 'pending' },
    }),
    links: await db().mailLink.count({ where: { ducklingId: id } }),
    recoveries: await db().passkeyRecovery.count({ where: { ducklingId: id } }),
    directory: await db().duckling.count({ where: { id, OR: [{ listed: true }, { deletedAt: null }] } }),
  }
  return Object.fromEntries(Object.entries(live).filter(([, count]) => count > 0))
}

/** Counts rows with personal data, by table. */
async function countPersonalRows({ id, email }: ADuckling): Promise<Record<string, number>> {
  const mine = { ducklingId: id }
  const endpoint = { endpoint: mine }
  return {
    attempts: await db().webhookAttempt.count({ where: { delivery: endpoint } }),
    deliveries: await db().webhookDelivery.count({ where: endpoint }),
    devices: await db().deviceToken.count({ where: mine }),
    endpoints: await db().webhookEndpoint.count({ where: mine }),
    keys: await db().beakKey.count({ where: { agent: mine } }),
    links: await db().mailLink.count({ where: mine }),
    messages: await db().webhookMessage.count({ where: mine }),
    notices: await db().notice.count({ where: mine }),
    notifications: await db().notificationSettings.count({ where: mine }),
    pecks_mailed: await db().peckMail.count({ where: mine }),
    recoveries: await db().passkeyRecovery.count({ where: mine }),
    sessions: await db().session.count({ where: mine }),
    sso: await db().ssoToken.count({ where: mine }),
    tickets: await db().supportTicket.count({ where: { email } }),
    waiting: await db().webhookQueue.count({ where: mine }),
  }
}

/** Adds rows to the tables whose commands are tested elsewhere. */
async function addRows(ducklingId: string): Promise<void> {
  const now = new Date()
  const later = secondsAfter(now, 3600)
  const row = { ducklingId, createdAt: now }
  const sessionId = 'SES-NONE'
  const made = { ...row, id: newId('device', now), secretHash: new Uint8Array(32), sessionId }
  await db().deviceToken.create({ data: { ...made, expiresAt: later } })
  await db().mailLink.create({
    data: {
      ...row,
      id: newId('link', now),
      kind: 'email_undo',
      address: 'old@example.com',
      expiresAt: later,
    },
  })
  await db().notice.create({
    data: { ducklingId, kind: 'key_rotated', items: [{ agent: 'Scout' }], count: 1 },
  })
  await db().notificationSettings.create({ data: { ducklingId } })
  await db().passkeyRecovery.create({
    data: { ...row, id: newId('recovery', now), sessionId, dueAt: later },
  })
  await db().webhookQueue.upsert({
    where: { ducklingId },
    create: { ducklingId, dueAt: later },
    update: {},
  })
}

async function eventsOf(ducklingId: string) {
  return db().auditEvent.findMany({ where: { ducklingId }, orderBy: { seq: 'asc' } })
}

describe('200', () => {
  it('ends everything that belongs to the account, and lists it', async () => {
    const world = await aFullAccount()
    const { owner, agent, unbonded, pending, grants } = world
    const { body: sessions } = await call('GET /beak/session/list', { token: owner.token })
    const tokens = await db().ssoToken.findMany({ where: { ducklingId: owner.id } })
    const { status, body } = await close(owner.token)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['closed_at', 'duckling_id', 'success', 'touched'])
    expect(body).toMatchObject({ success: true, duckling_id: owner.id })
    const touched = Object.fromEntries(
      Object.entries(body.touched as Record<string, string[]>).map(([name, ids]) => [name, [...ids].sort()]),
    )
    expect(touched).toEqual({
      certificates: [world.certificate.cert_id],
      agents: [agent.agentId, unbonded.agentId].sort(),
      keys: [agent.keyId, unbonded.keyId].sort(),
      sessions: sessions.items.map((item: { session_id: string }) => item.session_id).sort(),
      passkeys: [world.passkey.id],
      pecks_cancelled: [...Object.values(pending), world.blocked.sent].map((peck) => peck.peck_id).sort(),
      grants_revoked: Object.values(grants)
        .map((peck) => peck.peck_id)
        .sort(),
      sso_tokens: tokens.map(({ id }) => id).sort(),
      webhooks: [world.webhook.id],
      rules: [world.rule.rule_id],
    })
    expect(touched.sessions).toHaveLength(2)
    expect(touched.sso_tokens).toHaveLength(2)
    expect(await stillLive(owner.id)).toEqual({})
  })

  it('deletes sessions, keys, tokens, webhooks and support tickets', async () => {
    const { owner, other, webhook, secondToken } = await aFullAccount()
    await call('POST /beak/support/contact', { body: { email: owner.email, message: 'Please help' } })
    await call('POST /beak/support/contact', { body: { email: other.email, message: 'Me too' } })
    await call('POST /beak/webhook/test', { token: secondToken, body: { webhook_id: webhook.id } })
    await addRows(owner.id)
    const kept = await aWebhook('http://127.0.0.1:9/nobody-listens', { owner: other })
    await call('POST /beak/webhook/test', { token: other.token, body: { webhook_id: kept.id } })
    const before = await countPersonalRows(owner)
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([])
    const { status } = await close(owner.token)
    expect(status).toBe(200)
    const after = await countPersonalRows(owner)
    expect(Object.entries(after).filter(([, count]) => count > 0)).toEqual([])
    expect(Object.entries(await countPersonalRows(other)).filter(([, count]) => count === 0)).toEqual([
      ['devices', 0],
      ['keys', 0],
      ['links', 0],
      ['notifications', 0],
      // A stranger is mailed about once, without a reminder.
      ['pecks_mailed', 0],
      ['recoveries', 0],
      ['sso', 0],
    ])
  })

  it('keeps the support tickets of an address that was never verified', async () => {
    const { email, token } = await aDuckling({ tier: 'T0' })
    await call('POST /beak/support/contact', { body: { email, message: 'This is not my account' } })
    await close(token)
    expect(await db().supportTicket.count({ where: { email } })).toBe(1)
  })

  // security: check-29
  it('takes effect everywhere from the next request on', async () => {
    const world = await aFullAccount()
    const { owner, other, agent, unbonded, certificate, pending, grants } = world
    const challenge = (await call('POST /beak/passkey/login/options')).body
    await close(owner.token)
    for (const token of [owner.token, world.secondToken])
      expect((await call('GET /beak/profile', { token })).body.code).toBe('E4006')
    for (const key of [agent.beakKey, unbonded.beakKey])
      expect((await call('GET /beak/profile', { key })).body.code).toBe('E4001')
    const bond = { agent_id: unbonded.agentId, handshake_token: unbonded.handshakeToken }
    expect((await call('POST /beak/agent/bond', { key: unbonded.beakKey, body: bond })).status).toBe(401)
    for (const token of [world.ssoToken, world.agentSsoToken])
      expect((await call(`GET /beak/sso/verify?token=${token}`)).body).toEqual({ active: false })
    const verified = await call(`GET /beak/cert/verify?cert_id=${certificate.cert_id}`)
    expect(verified.body).toMatchObject({ valid: false, status: 'revoked', display_name: 'Closed' })
    expect((await call(`GET /beak/agent/verify?agent_id=${agent.agentId}`)).body.valid).toBe(false)
    for (const grant of Object.values(grants)) {
      const spent = await call('POST /beak/peck/consume', { body: { grant_token: grant.grant_token } })
      expect(spent.status).not.toBe(200)
    }
    const credential = world.passkey.authenticator.get(challenge)
    expect((await call('POST /beak/passkey/login', { body: { credential } })).status).toBe(401)
    const status = await call(`GET /beak/peck/status?peck_id=${pending.received.peck_id}`, {
      token: other.token,
    })
    expect(status.body).toMatchObject({ status: 'cancelled', target_display_name: 'Closed' })
    const asked = await call('POST /beak/peck/request', {
      token: other.token,
      body: { target_duckling_id: owner.id, action: 'read:profile', scope: 'limited' },
    })
    expect(asked.status).toBe(404)
  })

  // security: backup-20
  it('deletes the personal data and frees the address', async () => {
    const { owner } = await aFullAccount()
    await call('POST /beak/profile/update', {
      token: owner.token,
      body: { bio: 'About me', full_name: 'Anna Weber' },
    })
    await call('POST /beak/signin/otp', { body: { email: owner.email } })
    const otp = await codeFor(owner.email)
    await close(owner.token)
    expect(await db().duckling.findUnique({ where: { id: owner.id } })).toMatchObject({
      email: null,
      displayName: 'Closed',
      fullName: null,
      handle: null,
      bio: null,
      phone: null,
      passwordHash: null,
      listed: false,
      deletedAt: expect.any(Date),
    })
    expect(await db().formerName.count({ where: { ducklingId: owner.id } })).toBe(0)
    expect((await call('POST /beak/signin', { body: { email: owner.email, otp } })).status).toBe(401)
    const signup = await call('POST /beak/signup', { body: { email: owner.email, display_name: 'Reborn' } })
    expect(signup.status).toBe(200)
    expect(signup.body.duckling_id).not.toBe(owner.id)
    const verified = await call('POST /beak/verify-email', {
      token: signup.body.token,
      body: { otp: await codeFor(owner.email) },
    })
    expect(verified.body.trust_tier).toBe('T1')
  })

  it('records each ended peck and grant for the other side, unless it is hidden from that side', async () => {
    const { owner, other, blocker, nuisance, pending, grants, blocked } = await aFullAccount()
    const seen = async (id: string) =>
      (await eventsOf(id))
        .filter(({ action, metadata }) => {
          const { cause } = metadata as { cause?: string }
          return cause !== undefined && ['peck.cancelled', 'peck.revoked'].includes(action)
        })
        .map(({ action, targets }) => `${action} ${(targets as { id: string }[])[0]?.id}`)
        .sort()
    await close(owner.token)
    expect(await seen(other.id)).toEqual(
      [
        ...[pending.sent, pending.received, pending.byAgent].map(
          ({ peck_id }) => `peck.cancelled ${peck_id}`,
        ),
        ...Object.values(grants).map(({ peck_id }) => `peck.revoked ${peck_id}`),
      ].sort(),
    )
    expect(await seen(blocker.id)).toEqual([])
    // Cancelled like any other peck, or the blocked asker would notice the block.
    expect(await seen(nuisance.id)).toEqual([`peck.cancelled ${blocked.received.peck_id}`])
    const own = JSON.stringify((await eventsOf(owner.id)).map(presentEvent))
    expect(own).not.toContain(blocked.received.peck_id)
    const addresses = (await eventsOf(other.id)).filter(({ actorId }) => actorId === owner.id)
    expect(addresses.every(({ ip }) => ip === null)).toBe(true)
  })

  it('does not cancel an overdue peck, which expires as usual and is recorded for its asker', async () => {
    const owner = await aDuckling()
    const asker = await aDuckling()
    const { peck_id: id } = await aPeck(asker, owner)
    await db().peck.update({ where: { id }, data: { expiresAt: new Date() } })
    const { body } = await close(owner.token)
    expect(body.touched.pecks_cancelled).toEqual([])
    await transaction((tx) => expirePeck(tx, id, new Date()))
    expect((await db().peck.findUniqueOrThrow({ where: { id } })).status).toBe('expired')
    expect((await eventsOf(asker.id)).at(-1)?.action).toBe('peck.expired')
    expect((await eventsOf(owner.id)).at(-1)?.action).toBe('duckling.closed')
  })

  it('ends the audit chain with the closing as its last event', async () => {
    const { owner, agent } = await aFullAccount()
    const { body } = await close(owner.token)
    await call('GET /beak/profile', { key: agent.beakKey })
    await close(owner.token)
    const events = await eventsOf(owner.id)
    expect(events.at(-1)).toMatchObject({ action: 'duckling.closed', metadata: body.touched })
    const chain = events.map((row) => JSON.parse(JSON.stringify(presentEvent(row))))
    expect(await findChainFaults(chain, owner.id, true)).toEqual([])
  })

  it('mails the address only when it was verified', async () => {
    const verified = await aDuckling()
    await close(verified.token)
    expect((await sentTo(verified.email)).filter(({ kind }) => kind === 'account_closed')).toHaveLength(1)
    const unverified = await aDuckling({ tier: 'T0' })
    await close(unverified.token)
    expect((await sentTo(unverified.email)).filter(({ kind }) => kind === 'account_closed')).toHaveLength(0)
  })

  it('says by mail when it was closed in the time zone of the person, and lists only what it had', async () => {
    const mailOf = async ({ id, token, email }: ADuckling) => {
      await db().duckling.update({ where: { id }, data: { browserTimeZone: 'Asia/Kathmandu' } })
      await close(token)
      return (await sentTo(email)).find(({ kind }) => kind === 'account_closed')?.text ?? ''
    }
    const bare = await mailOf(await aDuckling())
    expect(bare).toMatch(/Times are in Asia\/Kathmandu\.\n$/)
    expect(bare).toContain('Devices signed out: 1')
    expect(bare).not.toMatch(/UTC|certificate|Agents|Permissions|Passkeys|Rules/)
    const { owner } = await aFullAccount()
    expect(await mailOf(owner)).toMatch(/Certificates revoked: 1[\s\S]*Agents removed: 2/)
  })

  it('deletes the newsletter subscription only of a verified address', async () => {
    for (const tier of ['T1', 'T0'] as const) {
      const { email, token } = await aDuckling({ tier })
      await call('POST /beak/newsletter/subscribe', { body: { email } })
      await close(token)
      expect(await db().subscription.count({ where: { email } })).toBe(tier === 'T1' ? 0 : 1)
    }
  })

  it('does not reset the limit of codes for an address', async () => {
    const { email, token } = await aDuckling({ tier: 'T0' })
    await close(token)
    const home = aNetwork()
    const signUp = () => call('POST /beak/signup', { body: { email, display_name: 'Again' }, from: home() })
    for (let index = 0; index < 4; index++) await close((await signUp()).body.token)
    expect((await signUp()).body.success).toBe(true)
    // The first sign-up came from another network.
    expect(await db().otpCode.count({ where: { address: email } })).toBe(1 + 3)
  })

  it('closes an account once for 50 simultaneous calls', async () => {
    const { id, token } = await aDuckling()
    const answers = await Promise.all(Array.from({ length: 50 }, () => close(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 401 && body.code === 'E4006')).toHaveLength(49)
    expect((await eventsOf(id)).filter(({ action }) => action === 'duckling.closed')).toHaveLength(1)
  })

  it('leaves nothing behind when the account makes changes at the same time', async () => {
    const owner = await aDuckling({ tier: 'T2' })
    const other = await aDuckling()
    const agent = await anAgent(owner)
    const { token, id } = owner
    const second = await anotherSession(owner)
    const peck = { action: 'read:profile', scope: 'limited' }
    const lines: [string, Parameters<typeof call>[1]][] = [
      ['POST /beak/agent/register', { body: { agent_name: 'A', agent_type: 'bot', capabilities: ['a:b'] } }],
      ['POST /beak/cert/issue', {}],
      ['POST /beak/webhook/create', { body: { url: 'http://127.0.0.1:9/' } }],
      ['POST /beak/sso/issue', { body: { target_domain: 'other.example', scope: 'a' } }],
      ['POST /beak/sso/issue', { key: agent.beakKey, body: { target_domain: 'other.example', scope: 'a' } }],
      ['POST /beak/passkey/register', {}],
      ['POST /beak/key/rotate', { body: { agent_id: agent.agentId } }],
      ['POST /beak/peck/request', { body: { ...peck, target_duckling_id: other.id } }],
      ['POST /beak/peck/request', { key: agent.beakKey, body: { ...peck, target_duckling_id: other.id } }],
      ['POST /beak/peck/request', { token: other.token, body: { ...peck, target_duckling_id: id } }],
      ['POST /beak/profile/update', { body: { directory_visible: true } }],
      ['POST /beak/signout', { token: second }],
    ]
    const work = lines.map(
      ([line, options]) =>
        () =>
          call(line, options?.key ? options : { token, ...options }),
    )
    const answers = await Promise.all([...work, () => close(token), ...work].map((start) => start()))
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(answers[work.length]?.status).toBe(200)
    expect(await stillLive(id)).toEqual({})
    expect((await eventsOf(id)).at(-1)?.action).toBe('duckling.closed')
  })
})

describe('400', () => {
  it('rejects unknown fields', async () => {
    const { token } = await aDuckling()
    const { status, body } = await call('POST /beak/account/delete', { token, body: { force: true } })
    expect([status, body.errors[0].field]).toEqual([400, 'force'])
    expect((await call('GET /beak/profile', { token })).status).toBe(200)
  })
})

describe('403', () => {
  it('refuses a sign-in older than 10 minutes, changes nothing, and records the attempt', async () => {
    const { id, token } = await aDuckling()
    const authTime = secondsAfter(new Date(), -10 * minute - 1)
    await db().session.updateMany({ where: { ducklingId: id }, data: { authTime } })
    const { status, body } = await close(token)
    expect([status, body.code]).toEqual([403, 'E4009'])
    expect((await call('GET /beak/profile', { token })).status).toBe(200)
    expect((await eventsOf(id)).at(-1)).toMatchObject({ action: 'duckling.closed', outcome: 'denied' })
  })

  it('accepts a sign-in that is exactly 10 minutes old', async () => {
    const duckling = await aDuckling()
    const context = await duckling.context()
    const { authTime } = context.caller
    const justAfter = new Date(secondsAfter(authTime, 10 * minute).getTime() + 1)
    await expect(closeAccount({ ...context, now: justAfter })).rejects.toMatchObject({
      failure: 'fresh_sign_in_needed',
    })
    await closeAccount({ ...context, now: secondsAfter(authTime, 10 * minute) })
  })
})

describe('an account with many pecks', () => {
  it('is closed with 501 pending pecks', async () => {
    const owner = await aDuckling()
    const asker = await aDuckling()
    const { peck_id: model } = await aPeck(asker, owner)
    const {
      pendingKey: _,
      approval: __,
      heldRejection: ___,
      wouldApprove: ____,
      ...row
    } = await db().peck.findUniqueOrThrow({ where: { id: model } })
    await db().peck.createMany({
      data: Array.from({ length: 500 }, () => ({ ...row, id: newId('peck', new Date()) })),
    })
    const { status, body } = await close(owner.token)
    expect([status, body.touched.pecks_cancelled.length]).toEqual([200, 501])
  })
})
