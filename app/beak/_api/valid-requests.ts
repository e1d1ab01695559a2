/** Requests that succeed, with what they need, for tests of all operations. */
import { db } from '@/lib/db/client'
import { startRecovery } from '@/lib/domain/passkeys/recovery'
import { anAgent } from '@/lib/factories/agents'
import { Authenticator } from '@/lib/factories/authenticator'
import {
  type ADuckling,
  aDuckling,
  aHandle,
  randomAddress,
  randomEmail,
  through,
} from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { AnApprover, anApprover, aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { anotherSession, changeAddress, randomPhone } from '@/lib/fixtures/accounts'
import { aChannel } from '@/lib/fixtures/channels'
import { anSsoToken } from '@/lib/fixtures/sso'
import { aWebhook, elevate } from '@/lib/fixtures/webhooks'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import { type CallOptions, call } from './call'

/** The token of the newest mailed link that undoes a change of address. */
async function undoToken(address: string): Promise<string> {
  const texts = (await sentTo(address)).map(({ text }) => text.replaceAll('\n', ''))
  const found = texts.findLast((text) => text.includes('/email-undo?token='))
  return decodeURIComponent(/\/email-undo\?token=([\w%-]+)/.exec(found ?? '')?.[1] ?? '')
}

async function newsletterLink(): Promise<CallOptions> {
  const email = randomEmail()
  await call('POST /beak/newsletter/subscribe', { body: { email } })
  const [, token = ''] = /token=([\w%-]+)/.exec((await sentTo(email))[0]?.text ?? '') ?? []
  return { body: { token: decodeURIComponent(token) }, from: randomAddress() }
}

/** A request about an agent of a new owner. */
async function aboutAgent(extra: object = {}, bonded = true): Promise<CallOptions> {
  const owner = await aDuckling()
  const { agentId } = await anAgent(owner, { bonded })
  return { token: owner.token, body: { agent_id: agentId, ...extra } }
}

async function aboutPeck(
  by: 'asker' | 'target',
  extra: object = {},
  make: (from: ADuckling, to: ADuckling) => Promise<{ peck_id: string }> = aPeck,
): Promise<CallOptions> {
  const [asker, target] = [await aDuckling(), await aDuckling()]
  const { peck_id } = await make(asker, target)
  return { token: (by === 'asker' ? asker : target).token, body: { peck_id, ...extra } }
}

const newSite = { name: 'Shop', redirect_uris: ['https://shop.example/callback'] }

/** A registered site, and its owner, who signed in there. */
async function aboutSite(body: (id: string) => object): Promise<CallOptions> {
  const owner = await aDuckling()
  const { body: site } = await call('POST /beak/site/register', { token: owner.token, body: newSite })
  const row = {
    ducklingId: owner.id,
    siteId: site.client_id,
    sessionId: 'SES-OF-OWNER',
    createdAt: new Date(),
  }
  await db().siteConsent.create({ data: { ...row, scopes: ['profile'], refused: [] } })
  return { token: owner.token, body: body(site.client_id) }
}

async function aboutWebhook(extra: object = {}): Promise<CallOptions> {
  const { owner, id } = await aWebhook('http://127.0.0.1:9/')
  return { token: owner.token, body: { webhook_id: id, ...extra } }
}

async function aboutChannel(extra: object = {}): Promise<CallOptions> {
  const owner = await aDuckling()
  const { channel_id } = await aChannel(owner, { kind: 'ntfy', url: 'http://127.0.0.1:9/topic' })
  return { token: owner.token, body: { channel_id, ...extra } }
}

async function own(body: object, tier: 'T0' | 'T1' = 'T1'): Promise<CallOptions> {
  return { token: (await aDuckling({ tier })).token, body }
}

/** Somebody with a passkey and a rule for an own agent. */
async function aRuler() {
  const owner = await aDuckling()
  const { authenticator } = await aPasskey(owner)
  const { agentId } = await anAgent(owner)
  const { rule_id } = await aRule(owner, authenticator, shopRule(agentId))
  const { token } = owner
  /** Returns the assertion over a rule, or over the rule of the owner as it is. */
  async function sign(about: object) {
    const options = await call('POST /beak/passkey/challenge', { token, body: { purpose: 'rule', ...about } })
    return authenticator.get(options.body)
  }
  return { token, agentId, rule_id, sign }
}

async function aboutRule(): Promise<CallOptions> {
  const { token, rule_id } = await aRuler()
  return { token, body: { rule_id } }
}

/** A request of each operation that accepts a key, which succeeds when it is sent once. */
export const validRequests: Readonly<Record<string, () => Promise<CallOptions>>> = {
  'POST /beak/verify-email': async () => {
    const { email, token } = await aDuckling({ tier: 'T0' })
    return { token, body: { otp: await codeFor(email) } }
  },
  'POST /beak/verify-email/resend': () => own({}, 'T0'),
  'POST /beak/email-change': () => own({ new_email: randomEmail() }),
  'POST /beak/session/disown': async () => {
    const { email } = await aDuckling()
    await call('POST /beak/signin/otp', { body: { email } })
    await call('POST /beak/signin', { body: { email, otp: await codeFor(email) } })
    const texts = (await sentTo(email)).map(({ text }) => text)
    return { body: { token: /\/not-me\?token=([\w%-]+)/.exec(texts.join('\n'))?.[1] }, from: randomAddress() }
  },
  'POST /beak/email-change/undo': async () => {
    const { email, token } = await aDuckling()
    const new_email = randomEmail()
    await call('POST /beak/email-change', { token, body: { new_email } })
    await call('POST /beak/email-change', { token, body: { new_email, otp: await codeFor(new_email) } })
    return { body: { token: await undoToken(email) }, from: randomAddress() }
  },
  'POST /beak/email-change/undo/cancel': async () => {
    const owner = await aDuckling()
    const { authenticator, id } = await aPasskey(owner)
    await db().passkey.update({ where: { id }, data: { createdAt: new Date(0) } })
    await confirmWithPasskey(owner, authenticator)
    await changeAddress(owner)
    await call('POST /beak/email-change/undo', { body: { token: await undoToken(owner.email) } })
    return { token: owner.token, body: {} }
  },
  'POST /beak/signin/otp': async () => ({
    body: { email: (await aDuckling()).email },
    from: randomAddress(),
  }),
  'POST /beak/passkey/register/verify': async () => {
    const { token } = await aDuckling()
    const { body } = await call('POST /beak/passkey/register', { token })
    return { token, body: { credential: new Authenticator().create(body) } }
  },
  'POST /beak/passkey/confirm': async () => {
    const owner = await aDuckling()
    const { authenticator } = await aPasskey(owner)
    const { token } = owner
    const { body } = await call('POST /beak/passkey/challenge', { token, body: { purpose: 'confirm' } })
    return { token, body: { passkey: authenticator.get(body) } }
  },
  'POST /beak/approver/enrol/verify': async () => {
    const { token, id } = await aDuckling()
    const approver = new AnApprover()
    const { body } = await call('POST /beak/approver/enrol', { token, body: { origin: approver.origin } })
    return { token, body: { credential: approver.create(body.challenge, id), covers: 'high' } }
  },
  'POST /beak/approver/remove': async () => {
    const owner = await aDuckling()
    await anApprover(owner)
    return { token: owner.token, body: {} }
  },
  'POST /beak/approver/keep': async () => {
    const owner = await aDuckling()
    await anApprover(owner)
    await call('POST /beak/approver/remove', { token: owner.token, body: {} })
    return { token: owner.token, body: {} }
  },
  'POST /beak/passkey/endorse': async () => {
    const owner = await aDuckling()
    const { authenticator } = await aPasskey(owner)
    await confirmWithPasskey(owner, authenticator)
    const { id: passkey_id } = await aPasskey(owner)
    const { body } = await call('POST /beak/passkey/challenge', {
      token: owner.token,
      body: { purpose: 'endorse', passkey_id },
    })
    return { token: owner.token, body: { passkey_id, passkey: authenticator.get(body) } }
  },
  'POST /beak/passkey/recover': async () => {
    const owner = await aDuckling()
    await aPasskey(owner)
    return { token: await anotherSession(owner), body: {} }
  },
  'POST /beak/passkey/recover/cancel': async () => {
    const owner = await aDuckling()
    await aPasskey(owner)
    await startRecovery(await through(owner, await anotherSession(owner)).context())
    return { token: owner.token, body: {} }
  },
  'POST /beak/passkey/remove': async () => {
    const owner = await aDuckling()
    const { id, authenticator } = await aPasskey(owner)
    const { token } = owner
    const { body } = await call('POST /beak/passkey/challenge', { token, body: { purpose: 'confirm' } })
    await call('POST /beak/passkey/confirm', { token, body: { passkey: authenticator.get(body) } })
    return { token, body: { passkey_id: id } }
  },
  'POST /beak/session/revoke': async () => {
    const owner = await aDuckling()
    await anotherSession(owner)
    return { token: owner.token, body: { all_others: true } }
  },
  'PUT /beak/trust/elevate': () => own({ phone: randomPhone() }),
  'POST /beak/profile/update': () => own({ bio: 'Swims' }),
  'POST /beak/notifications/update': () => own({ channels: { mail: { requests: 'none' } } }),
  'POST /beak/name-change': () => own({ new_display_name: 'Drake' }),
  'POST /beak/name-change/undo': async () => {
    const { token } = await aDuckling()
    await call('POST /beak/name-change', { token, body: { new_display_name: 'Drake' } })
    const { change } = (await call('GET /beak/name-change', { token })).body
    return { token, body: { changed_at: change.changed_at } }
  },
  'POST /beak/handle/claim': () => own({ handle: aHandle() }),
  'POST /beak/handle/release': async () => {
    const { token } = await aDuckling()
    await call('POST /beak/handle/claim', { token, body: { handle: aHandle() } })
    return { token, body: {} }
  },
  'POST /beak/cert/issue': () => own({}),
  'POST /beak/cert/revoke': async () => {
    const { token } = await aDuckling()
    await call('POST /beak/cert/issue', { token, body: {} })
    return { token, body: { reason: 'Lost' } }
  },
  'POST /beak/peck/request': async () => {
    const agent = await anAgent(await aDuckling())
    const target = await aDuckling()
    return {
      key: agent.beakKey,
      body: { target_duckling_id: target.id, action: 'send:mail', scope: 'limited' },
    }
  },
  'POST /beak/peck/approve': () => aboutPeck('target'),
  'POST /beak/peck/reject': () => aboutPeck('target', { reason: 'No' }),
  'POST /beak/peck/decide': async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await aPeck(asker, target)
    return { token: target.token, body: { decision: 'approve', peck_ids: [peck_id] } }
  },
  'POST /beak/peck/share': () => aboutPeck('target', {}, anApprovedPeck),
  'POST /beak/peck/unshare': async () => {
    const options = await aboutPeck('asker', {}, anApprovedPeck)
    await call('POST /beak/peck/share', options)
    return options
  },
  'POST /beak/peck/cancel': () => aboutPeck('asker'),
  'POST /beak/peck/revoke': () => aboutPeck('target', {}, anApprovedPeck),
  'POST /beak/peck/revoke-all': async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    await anApprovedPeck(asker, target)
    return { token: target.token, body: { asker: asker.id } }
  },
  'POST /beak/peck/consume': async () => {
    const { grant_token } = await anApprovedPeck(await aDuckling(), await aDuckling())
    return { body: { grant_token }, from: randomAddress() }
  },
  'POST /beak/peck/snooze': () =>
    aboutPeck('target', { until: secondsAfter(new Date(), 3600).toISOString() }),
  'POST /beak/peck/undo': async () => {
    const request = await aboutPeck('target')
    const { peck_id } = request.body as { peck_id: string }
    const body = { peck_id, reason: 'No', undo_seconds: 10 }
    await call('POST /beak/peck/reject', { ...request, body })
    return request
  },
  'POST /beak/peck/block': async () => own({ duckling_id: (await aDuckling()).id }),
  'POST /beak/peck/unblock': async () => {
    const { token } = await aDuckling()
    const body = { duckling_id: (await aDuckling()).id }
    await call('POST /beak/peck/block', { token, body })
    return { token, body }
  },
  'POST /beak/invitation/create': () => own({}),
  'POST /beak/invitation/revoke': async () => {
    const { token } = await aDuckling()
    const { invitation_id } = (await call('POST /beak/invitation/create', { token, body: {} })).body
    return { token, body: { invitation_id } }
  },
  'POST /beak/contact/update': async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    await aPeck(asker, target)
    return { token: target.token, body: { asker: asker.id, always: true } }
  },
  'POST /beak/peck/unpause': async () => own({ duckling_id: (await aDuckling()).id }),
  'POST /beak/agent/register': () =>
    own({ agent_name: 'Scout', agent_type: 'assistant', capabilities: ['read:profile'] }),
  'POST /beak/agent/update': () => aboutAgent({ agent_name: 'Scout' }),
  'POST /beak/agent/bond': async () => {
    const { beakKey, agentId, handshakeToken } = await anAgent(await aDuckling(), { bonded: false })
    return { key: beakKey, body: { agent_id: agentId, handshake_token: handshakeToken } }
  },
  'POST /beak/agent/handshake': () => aboutAgent({}, false),
  'POST /beak/agent/test-request': () => aboutAgent(),
  'POST /beak/agent/suspend': () => aboutAgent(),
  'POST /beak/agent/resume': async () => {
    const request = await aboutAgent()
    await call('POST /beak/agent/suspend', request)
    return request
  },
  'POST /beak/agent/deregister': () => aboutAgent(),
  'POST /beak/agent/guard': () => aboutAgent({ change: 'dismiss' }),
  'POST /beak/agent/token': async () => ({
    key: (await anAgent(await aDuckling())).beakKey,
    body: { audience: 'shop.example' },
  }),
  'POST /beak/key/rotate': () => aboutAgent(),
  'POST /beak/rule/create': async () => {
    const { token, agentId, sign } = await aRuler()
    const rule = shopRule(agentId, { actions: ['pay:rent'] })
    return { token, body: { rule, passkey: await sign({ rule }) } }
  },
  'POST /beak/rule/update': async () => {
    const { token, agentId, rule_id, sign } = await aRuler()
    const rule = shopRule(agentId, { actions: ['pay:rent'] })
    return { token, body: { rule_id, rule, passkey: await sign({ rule_id, rule }) } }
  },
  'POST /beak/rule/pause': aboutRule,
  'POST /beak/rule/resume': async () => {
    const { token, rule_id, sign } = await aRuler()
    await call('POST /beak/rule/pause', { token, body: { rule_id } })
    return { token, body: { rule_id, passkey: await sign({ rule_id }) } }
  },
  'POST /beak/rule/end': aboutRule,
  'POST /beak/rule/budget': () => aboutAgent({ budget: { amount: '€200.00', per: 'month' } }),
  'POST /beak/sso/issue': () => own({ target_domain: 'shop.example', scope: 'login' }),
  'POST /beak/sso/bridge': async () => {
    const owner = await aDuckling()
    const sso_token = await anSsoToken(owner.context())
    return { token: owner.token, body: { sso_token, target: 'shop.example.com' } }
  },
  'POST /beak/channel/add': () => own({ kind: 'ntfy', url: 'http://127.0.0.1:9/topic' }),
  'POST /beak/channel/update': () => aboutChannel({ name: 'Pond' }),
  'POST /beak/channel/remove': () => aboutChannel(),
  'POST /beak/site/register': () => own(newSite),
  'POST /beak/site/update': () => aboutSite((client_id) => ({ ...newSite, client_id, new_secret: true })),
  'POST /beak/site/delete': () => aboutSite((client_id) => ({ client_id })),
  'POST /beak/consent/revoke': () => aboutSite((site_id) => ({ site_id })),
  'POST /beak/webhook/create': () => own({ url: 'http://127.0.0.1:9/' }),
  'POST /beak/webhook/update': () => aboutWebhook({ description: 'Mine' }),
  'POST /beak/webhook/delete': () => aboutWebhook(),
  'POST /beak/webhook/rotate-secret': () => aboutWebhook(),
  'POST /beak/webhook/redeliver': async () => {
    const { owner } = await aWebhook('http://127.0.0.1:9/')
    await elevate(owner)
    await drainOutbox()
    const { body } = await call('GET /beak/webhook/deliveries', { token: owner.token })
    return { token: owner.token, body: { delivery_id: body.items[0].delivery_id } }
  },
  'POST /beak/newsletter/subscribe': async () => ({ body: { email: randomEmail() }, from: randomAddress() }),
  'POST /beak/newsletter/confirm': newsletterLink,
  'POST /beak/newsletter/unsubscribe': newsletterLink,
  'POST /beak/support/contact': async () => ({
    body: { email: randomEmail(), message: 'Quack' },
    from: randomAddress(),
  }),
}
