import { verifyAudit } from '@beak/proofs/audit/verify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { aFullAccount } from '@/lib/fixtures/accounts'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'

const exported = (token: string) => call('GET /beak/account/export', { token })
const ids = (items: Record<string, string>[], name: string) => items.map((item) => item[name])

describe('200', () => {
  // security: host-3
  it('exports all data about the account and none about others', async () => {
    const world = await aFullAccount()
    const { owner, other, agent, unbonded, pending, grants, blocked } = world
    await call('POST /beak/support/contact', { body: { email: owner.email, message: 'Quack?' } })
    await call('POST /beak/newsletter/subscribe', { body: { email: owner.email } })
    await call('POST /beak/name-change', { token: owner.token, body: { full_name: 'Anna Weber' } })
    const { status, body, headers } = await exported(owner.token)
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toBe('attachment; filename="beak-export.json"')
    expect(Object.keys(body).sort()).toEqual(
      [
        'account',
        'agents',
        'announcements',
        'asker_history',
        'audit',
        'blocks',
        'certificates',
        'channels',
        'codes',
        'contacts',
        'invitations',
        'devices',
        'exported_at',
        'former_names',
        'mail_links',
        'notifications',
        'passkey_recovery',
        'approver',
        'passkeys',
        'pecks',
        'profile',
        'recent_changes',
        'rules',
        'rule_answers',
        'agent_budgets',
        'sessions',
        'shared_receipts',
        'site_consents',
        'site_subjects',
        'sites',
        'sso_tokens',
        'subscriptions',
        'support_tickets',
        'webhooks',
        'handles',
      ].sort(),
    )
    expect(body.profile).toEqual((await call('GET /beak/profile', { token: owner.token })).body)
    expect(body.profile.full_name).toBe('Anna Weber')
    expect(body.former_names).toEqual([
      { until: expect.any(String), display_name: owner.displayName, full_name: null },
    ])
    expect(body.account).toMatchObject({ phone: null, has_password: false, rate_limit: null })
    expect(body.certificates).toEqual([(await call('GET /beak/cert/view', { token: owner.token })).body])
    expect(ids(body.agents, 'agent_id')).toEqual([agent.agentId, unbonded.agentId])
    expect(body.agents[0].keys).toMatchObject([{ key_id: agent.keyId, retired_at: null }])
    expect(ids(body.pecks.sent, 'peck_id')).toEqual(
      [pending.sent, pending.byAgent, pending.byOwnAgent, grants.got, grants.byAgent, blocked.sent].map(
        ({ peck_id }) => peck_id,
      ),
    )
    expect(ids(body.pecks.received, 'peck_id')).toEqual(
      [pending.received, pending.byOwnAgent, grants.given].map(({ peck_id }) => peck_id),
    )
    expect(ids(body.passkeys, 'passkey_id')).toEqual([world.passkey.id])
    expect(body.sessions.map((item: { current: boolean }) => item.current)).toEqual([true, false])
    expect(body.sso_tokens).toHaveLength(2)
    expect(ids(body.webhooks, 'webhook_id')).toEqual([world.webhook.id])
    expect(ids(body.webhooks[0].deliveries, 'type')).toContain('cert.issued')
    expect(ids(body.blocks, 'duckling_id')).toEqual([world.nuisance.id])
    expect(body.subscriptions).toMatchObject([{ email: owner.email, status: 'pending' }])
    expect(body.support_tickets).toMatchObject([{ email: owner.email, message: 'Quack?' }])
    expect(ids(body.codes, 'address')).toEqual([owner.email])
    const text = JSON.stringify(body)
    for (const stranger of [other, world.blocker, world.nuisance]) expect(text).not.toContain(stranger.email)
  })

  it('contains rules with what the passkey signed, what they answered, and budgets of agents', async () => {
    const owner = await aDuckling()
    const { authenticator } = await aPasskey(owner)
    const agent = await anAgent(owner)
    const { rule_id } = await aRule(owner, authenticator, shopRule(agent.agentId))
    await call('POST /beak/rule/budget', {
      token: owner.token,
      body: { agent_id: agent.agentId, budget: { amount: '€200.00', per: 'month' } },
    })
    const params = { amount: '€38.00', to: 'shop@example.com' }
    const { peck_id } = await aPeck(agent, owner, { action: 'pay:invoice', params })
    await confirmWithPasskey(owner, authenticator)
    const { body } = await exported(owner.token)
    const view = await call(`GET /beak/rule/view?rule_id=${rule_id}`, { token: owner.token })
    const { answers: _, ...rule } = view.body
    expect(body.rules).toMatchObject([
      { ...rule, statements: [{ proof: { credential_id: expect.any(String) } }] },
    ])
    expect(JSON.parse(body.rules[0].statements[0].statement)).toMatchObject({ rule_id, rule: rule.rule })
    expect(body.rule_answers).toMatchObject([
      { peck_id, rule_id, state: 'reserved', cost: 3800, after: { uses: 1, amount: 3800 } },
    ])
    const budgets = await call('GET /beak/rule/budgets', { token: owner.token })
    expect(body.agent_budgets).toEqual(budgets.body.items)
  })

  it('hides the secrets of pecks, at any depth', async () => {
    const [asker, owner] = [await aDuckling(), await aDuckling()]
    const params = { door: { pin: 4711 }, api_key: 'quack-42', to: 'pond@example.com' }
    const message = 'The password is quack-43'
    await anApprovedPeck(asker, owner, { action: 'open:page', params, message })
    for (const { token } of [asker, owner]) {
      const { body } = await exported(token)
      const text = JSON.stringify([
        body.pecks.sent,
        body.pecks.received,
        body.pecks.displayed,
        body.asker_history,
      ])
      for (const secret of ['4711', 'quack-42', 'quack-43']) expect(text).not.toContain(secret)
      expect(text).toContain('pond@example.com')
    }
  })

  it('contains the risk and the displayed text of received pecks, shared receipts and the history of askers', async () => {
    const [asker, owner] = [await aDuckling(), await aDuckling()]
    const params = { folder: 'inbox' }
    const { peck_id } = await anApprovedPeck(asker, owner, { action: 'read:mail', params })
    const sent = await anApprovedPeck(owner, asker, { action: 'read:mail' })
    const share = { peck_id, values: true }
    const shared = await call('POST /beak/peck/share', { token: owner.token, body: share })
    const { body } = await exported(owner.token)
    const { displayed } = await db().peck.findUniqueOrThrow({ where: { id: peck_id } })
    expect(body.pecks.received).toMatchObject([{ peck_id, risk: { level: expect.any(String) } }])
    expect(body.pecks.displayed).toEqual([{ peck_id, displayed: JSON.parse(displayed ?? '{}') }])
    expect(body.pecks.sent).toMatchObject([{ peck_id: sent.peck_id }])
    expect(body.pecks.sent[0]).not.toHaveProperty('risk')
    expect(body.shared_receipts).toEqual([shared.body])
    expect(body.asker_history).toEqual([
      {
        asker: asker.id,
        action: 'read:mail',
        asked: 1,
        asked_at: expect.any(String),
        approved: 1,
        approved_by_rule: 0,
        approved_at: expect.any(String),
        approved_params: params,
      },
    ])
  })

  it('contains no secrets', async () => {
    const world = await aFullAccount()
    const { owner, agent, unbonded } = world
    const otp = await codeFor(owner.email)
    const { body } = await exported(owner.token)
    delete body.audit.jwks
    const text = JSON.stringify(body)
    const secrets = [
      owner.token,
      world.secondToken,
      agent.beakKey,
      unbonded.beakKey,
      unbonded.handshakeToken,
      world.ssoToken,
      world.agentSsoToken,
      world.webhook.secret,
      ...Object.values(world.grants).map((grant) => grant.grant_token),
    ]
    for (const secret of secrets) expect(text).not.toContain(secret.slice(-20))
    expect(text.includes(`"${otp}"`)).toBe(false)
    const keys = [...text.matchAll(/"(\w*(?:secret|hash|token|password|public_key)\w*)":/g)].map(
      ([, key]) => key,
    )
    // The export has these two only when the transparency log has an entry of the account.
    const always = keys.filter((key) => key !== 'root_hash' && key !== 'leaf_hash')
    expect([...new Set(always)].sort()).toEqual([
      'has_password',
      'hash',
      'params_hash',
      'prev_hash',
      'public_key',
      'secret_rotating_until',
      'sso_tokens',
      'with_password',
    ])
  })

  it('shows a peck of a blocked asker to the asker like any other, and not to the target', async () => {
    const { owner, blocker, blocked, pending } = await aFullAccount()
    // Mails gather requests for ten seconds, and the asker sees their time.
    vi.useFakeTimers({ toFake: ['Date'], now: secondsAfter(readClock(), 11) })
    onTestFinished(() => void vi.useRealTimers())
    await drainOutbox()
    const own = await exported(owner.token)
    const [kept] = own.body.pecks.sent.filter(
      (peck: { peck_id: string }) => peck.peck_id === blocked.sent.peck_id,
    )
    const [plain] = own.body.pecks.sent.filter(
      (peck: { peck_id: string }) => peck.peck_id === pending.sent.peck_id,
    )
    expect(Object.keys(kept)).toEqual(Object.keys(plain))
    expect(kept.status).toBe('pending')
    expect(JSON.stringify(own.body)).not.toContain(blocked.received.peck_id)
    const others = await exported(blocker.token)
    expect(JSON.stringify(others.body)).not.toContain(blocked.sent.peck_id)
  })

  it('contains the whole audit chain, which ends with the export and matches the signed head', async () => {
    const { owner } = await aFullAccount()
    await exported(owner.token)
    const { body } = await exported(owner.token)
    const report = await verifyAudit(body)
    expect(report).toMatchObject({ faults: [], ducklingId: owner.id, events: body.audit.events.length })
    expect(body.audit.events.at(-1)).toMatchObject({ action: 'duckling.exported', outcome: 'success' })
    expect(report.head).toMatchObject({ seq: body.audit.events.length, sub: owner.id })
    body.audit.events[2].metadata = { changed: true }
    expect((await verifyAudit(body)).faults).toMatchObject([{ kind: 'changed', seq: 3 }])
  })

  it('shows one moment while the account changes', async () => {
    const owner = await aDuckling()
    const bios = Array.from({ length: 20 }, (_, index) => `bio ${index}`)
    // Two heavy calls of an account run at once.
    const exportThrice = async () => [
      await exported(owner.token),
      await exported(owner.token),
      await exported(owner.token),
    ]
    const [exports] = await Promise.all([
      Promise.all([exportThrice(), exportThrice()]).then((both) => both.flat()),
      ...bios.map((bio) => call('POST /beak/profile/update', { token: owner.token, body: { bio } })),
    ])
    for (const { status, body } of exports) {
      expect(status).toBe(200)
      expect((await verifyAudit(body)).faults).toEqual([])
      const updates = body.audit.events.filter(
        (event: { action: string }) => event.action === 'duckling.updated',
      )
      expect(body.profile.bio === null).toBe(updates.length === 0)
    }
  })

  it('contains tickets and subscriptions of the address only when it is verified', async () => {
    const email = randomEmail()
    await call('POST /beak/support/contact', { body: { email, message: 'Somebody else’s secret' } })
    await call('POST /beak/newsletter/subscribe', { body: { email } })
    const squatter = await aDuckling({ email, tier: 'T0' })
    const { body } = await exported(squatter.token)
    expect([body.support_tickets, body.subscriptions]).toEqual([[], []])
  })

  it('contains deregistered agents and retired keys', async () => {
    const owner = await aDuckling()
    const { agentId, keyId } = await anAgent(owner)
    await call('POST /beak/agent/deregister', { token: owner.token, body: { agent_id: agentId } })
    const { body } = await exported(owner.token)
    expect(body.agents).toMatchObject([
      {
        agent_id: agentId,
        status: 'deregistered',
        keys: [{ key_id: keyId, retired_at: expect.any(String) }],
      },
    ])
  })
})

describe('400', () => {
  it('rejects query parameters', async () => {
    const { token } = await aDuckling()
    expect((await call('GET /beak/account/export?duckling_id=DUCK-1', { token })).status).toBe(400)
  })
})
