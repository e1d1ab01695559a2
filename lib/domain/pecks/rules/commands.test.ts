import { verifyOutcome } from '@beak/proofs/receipt'
import { RuleRequest } from '@beak/proofs/rules/rule'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { database, db } from '@/lib/db/client'
import { confirmSession } from '@/lib/domain/passkeys/sign-in'
import { challengePasskey } from '@/lib/domain/pecks/decide/challenge'
import { outcomeReceipt } from '@/lib/domain/pecks/receipts/outcome-receipt'
import {
  createRule,
  endRule,
  pauseAllRules,
  pauseRule,
  resumeAllRules,
  resumeRule,
  updateRule,
} from '@/lib/domain/pecks/rules/commands'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { aRule, type SentRule, shopRule } from '@/lib/factories/rules'
import { waitingConnections } from '@/lib/fixtures/statements'
import { publicKeys } from '@/lib/infrastructure/keys/signing-keys'
import { config } from '@/lib/kernel/config'
import { Failure } from '@/lib/kernel/request/failures'

let owner: ADuckling
let passkey: APasskey
let agent: AnAgent
beforeEach(async () => {
  owner = await aDuckling()
  passkey = await aPasskey(owner)
  agent = await anAgent(owner)
})

const sent = (change: Partial<SentRule> = {}) => RuleRequest.parse(shopRule(agent.agentId, change))
const make = (change: Partial<SentRule> = {}) =>
  aRule(owner, passkey.authenticator, shopRule(agent.agentId, change))
const challenge = async (request: object) =>
  challengePasskey(await owner.context(), { purpose: 'rule', ...request })
const pay = (amount: unknown) =>
  aPeck(agent, owner, { action: 'pay:invoice', params: { amount, to: 'shop@example.com' } })

/** Returns the name of the failure that a call throws. */
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => (error instanceof Failure ? error.failure : Promise.reject(error)),
  )

describe('the mail about a change of a rule', () => {
  const mails = async () =>
    (await sentTo(owner.email)).filter(({ kind }) => kind === 'sensitive_change').map(({ text }) => text)

  it('names the rule by its agent, its actions and its day, and by nothing that others chose', async () => {
    const own = await anAgent(owner, { name: 'Scout' })
    const { rule_id } = await aRule(
      owner,
      passkey.authenticator,
      shopRule(own.agentId, { actions: ['pay:invoice', 'evil:example'] }),
    )
    await endRule(await owner.context(), rule_id)
    const text = (await mails()).join('\n')
    expect(text).toMatch(/Rule for\W+Scout/)
    expect(text).toMatch(/pay an invoice and 1 other action/)
    expect(text).toMatch(/Rule made\W+\d/)
    for (const value of ['shop', '50.00', 'evil']) expect(text).not.toContain(value)
  })

  it('does not name an agent of somebody else', async () => {
    owner = await aDuckling({ tier: 'T2' })
    passkey = await aPasskey(owner)
    const theirs = await anAgent(await aDuckling(), { name: 'Eviltwin' })
    await acquaint(owner, theirs.agentId)
    await aRule(owner, passkey.authenticator, shopRule(theirs.agentId))
    const text = (await mails()).join('\n')
    expect(text).toContain('an agent of somebody else')
    expect(text).not.toContain('Eviltwin')
  })
})

describe('making a rule', () => {
  it('completes it with the reasons for risk of its own actions and values', async () => {
    const { rule } = await make()
    expect(rule).toMatchObject({ reasons: ['money'], expires_in: 2_592_000, mode: 'on' })
  })

  it('fails when the passkey signed another rule, and makes none', async () => {
    const options = await challenge({ rule: sent() })
    const wider = sent({ params: { amount: { at_most: '€500.00' }, to: { equals: 'shop@example.com' } } })
    const call = createRule(await owner.context(), {
      rule: wider,
      passkey: passkey.authenticator.get(options),
    })
    expect(await failureOf(call)).toBe('rule_changed')
    expect(await db().rule.count({ where: { ducklingId: owner.id } })).toBe(0)
  })

  it('fails with the signature over the change of another rule', async () => {
    const { rule_id } = await make()
    const rule = sent({ budget: { uses: 9 } })
    const signed = passkey.authenticator.get(await challenge({ rule, rule_id }))
    expect(await failureOf(createRule(await owner.context(), { rule, passkey: signed }))).toBe('rule_changed')
  })

  it('succeeds once of 50 simultaneous calls with one signature', async () => {
    const options = await challenge({ rule: sent() })
    const signed = passkey.authenticator.get(options)
    const calls = await Promise.all(
      Array.from({ length: 50 }, async () =>
        failureOf(createRule(await owner.context(), { rule: sent(), passkey: signed })),
      ),
    )
    expect(calls.filter((failure) => failure === null).length).toBe(1)
    expect(await db().rule.count({ where: { ducklingId: owner.id } })).toBe(1)
  })

  it('refuses an assertion for an approval, for sign-in, and of a stranger’s passkey', async () => {
    const stranger = await aDuckling()
    const theirs = await aPasskey(stranger, { authenticator: new Authenticator() })
    const options = await challenge({ rule: sent() })
    const elevation = await challengePasskey(await owner.context(), { purpose: 'confirm' })
    for (const assertion of [theirs.authenticator.get(options), passkey.authenticator.get(elevation)]) {
      const call = createRule(await owner.context(), { rule: sent(), passkey: assertion })
      expect(await failureOf(call)).toBe('passkey_assertion_invalid')
    }
  })

  it('refuses any for money, secrets and recipients, and unknown agents', async () => {
    for (const name of ['amount', 'to', 'password'])
      expect(await failureOf(challenge({ rule: sent({ params: { [name]: { any: true } } }) }))).toBe(
        'invalid_request',
      )
    const other = sent({ agent_id: 'AGT-00000000000000000000000000' })
    expect(await failureOf(challenge({ rule: other }))).toBe('agent_not_registered')
  })

  it('needs T2 for agents of others', async () => {
    const theirs = await anAgent(await aDuckling())
    const rule = RuleRequest.parse(shopRule(theirs.agentId))
    expect(await failureOf(challenge({ rule }))).toBe('tier_too_low')
  })
})

describe('changing a rule', () => {
  const narrower: [string, Partial<SentRule>][] = [
    ['a smaller amount', { params: { amount: { at_most: '€20.00' }, to: { equals: 'shop@example.com' } } }],
    ['one value', { params: { amount: { equals: '€38.00' }, to: { equals: 'shop@example.com' } } }],
    ['a budget', { budget: { uses: 3 } }],
    ['watching', { mode: 'watch' }],
    ['a shorter life', { expires_in: 3600 }],
  ]
  it.each(narrower)('to %s needs one tap', async (_, change) => {
    const { rule_id } = await make()
    await updateRule(await owner.context(), { rule_id, rule: sent(change), passkey: undefined })
    expect(await db().rule.findUniqueOrThrow({ where: { id: rule_id } })).toMatchObject({ status: 'on' })
  })

  const wider: [string, Partial<SentRule>][] = [
    ['a larger amount', { params: { amount: { at_most: '€50.01' }, to: { equals: 'shop@example.com' } } }],
    ['another currency', { params: { amount: { at_most: 'US$1.00' }, to: { equals: 'shop@example.com' } } }],
    ['a domain', { params: { amount: { at_most: '€50.00' }, to: { domain: 'example.com' } } }],
    ['fewer params', { params: { to: { equals: 'shop@example.com' } } }],
    ['one more action', { actions: ['pay:invoice', 'pay:bill'] }],
    ['another answer', { answer: 'reject' }],
    ['one more reason', { reasons: ['money', 'control'] }],
  ]
  it.each(wider)('to %s needs a signature', async (_, change) => {
    const { rule_id } = await make()
    const call = updateRule(await owner.context(), { rule_id, rule: sent(change), passkey: undefined })
    expect(await failureOf(call)).toBe('passkey_assertion_needed')
    const rule = sent(change)
    const options = await challenge({ rule, rule_id })
    const signed = passkey.authenticator.get(options)
    expect((await updateRule(await owner.context(), { rule_id, rule, passkey: signed })).rule_id).toBe(
      rule_id,
    )
  })

  it('never lengthens the life of a rule without a signature', async () => {
    const { rule_id, expires_at } = await make({ expires_in: 3600 })
    const changed = await updateRule(await owner.context(), { rule_id, rule: sent(), passkey: undefined })
    expect(changed.expires_at).toEqual(expires_at)
  })

  it('keeps what it allowed so far', async () => {
    const { rule_id } = await make({ budget: { amount: '€100.00' } })
    await pay('€40.00')
    const rule = sent({ budget: { amount: '€60.00' } })
    const { left } = await updateRule(await owner.context(), { rule_id, rule, passkey: undefined })
    expect(left.amount).toBe('€20.00')
  })

  it('never gives back uses of the day when a limit for money is added', async () => {
    const { rule_id } = await make({ budget: { uses_each: 1, per: 'day' } })
    await pay('€1.00')
    const rule = sent({ budget: { uses_each: 1, per: 'day', amount: '€40.00' } })
    await updateRule(await owner.context(), { rule_id, rule, passkey: undefined })
    expect((await pay('€2.00')).status).toBe('pending')
  })

  it('of another person is not found', async () => {
    const { rule_id } = await make()
    const stranger = await aDuckling()
    const context = await stranger.context()
    for (const call of [
      () => updateRule(context, { rule_id, rule: sent(), passkey: undefined }),
      () => pauseRule(context, rule_id),
      () => endRule(context, rule_id),
    ])
      expect(await failureOf(call())).toBe('rule_not_found')
  })
})

describe('pausing', () => {
  it('needs one tap, and resuming a signature', async () => {
    const { rule_id } = await make()
    await pauseRule(await owner.context(), rule_id)
    expect((await pay('€1.00')).status).toBe('pending')
    const other = await challenge({ rule: sent() })
    const wrong = resumeRule(await owner.context(), {
      id: rule_id,
      passkey: passkey.authenticator.get(other),
    })
    expect(await failureOf(wrong)).toBe('rule_changed')
    const options = await challenge({ rule_id })
    await resumeRule(await owner.context(), { id: rule_id, passkey: passkey.authenticator.get(options) })
    expect((await pay('€2.00')).status).toBe('approved')
  })

  it('cannot be undone by a narrower change of the rule', async () => {
    const { rule_id } = await make()
    await pauseRule(await owner.context(), rule_id)
    const call = updateRule(await owner.context(), {
      rule_id,
      rule: sent({ budget: { uses: 1 } }),
      passkey: undefined,
    })
    expect(await failureOf(call)).toBe('passkey_assertion_needed')
  })

  it('all rules holds later ones too, until a passkey confirms the session', async () => {
    await pauseAllRules(await owner.context())
    await make()
    expect((await pay('€1.00')).status).toBe('pending')
    await db().session.updateMany({ where: { ducklingId: owner.id }, data: { passkeyAt: null } })
    expect(await failureOf(resumeAllRules(await owner.context()))).toBe('fresh_passkey_needed')
    const options = await challengePasskey(await owner.context(), { purpose: 'confirm' })
    await confirmSession(await owner.context(), passkey.authenticator.get(options))
    await resumeAllRules(await owner.context())
    expect((await pay('€2.00')).status).toBe('approved')
  })
})

describe('beside a request that the rule answers', () => {
  const watching = async (rule_id: string) =>
    updateRule(await owner.context(), { rule_id, rule: sent({ mode: 'watch' }), passkey: undefined })
  const commands: [string, (id: string) => Promise<unknown>][] = [
    ['a change', watching],
    ['a pause', async (id) => pauseRule(await owner.context(), id)],
    ['the end', async (id) => endRule(await owner.context(), id)],
  ]
  // The embedded database has one connection.
  it.runIf(inject('postgres') !== null).each(commands)(
    '%s locks the account before the rule, as the request does, so that neither waits for the other',
    async (_, command) => {
      const { rule_id } = await make()
      const { called, paid } = await database().prisma.$transaction(async (tx) => {
        await tx.$executeRaw`SELECT 1 FROM "Rule" WHERE "id" = ${rule_id} FOR UPDATE`
        const called = command(rule_id)
        await expect.poll(waitingConnections).toBe(1)
        const paid = pay('€1.00')
        await expect.poll(waitingConnections).toBe(2)
        const [free] = await db().rows`
          SELECT 1 FROM "Duckling" WHERE "id" = ${owner.id} FOR KEY SHARE SKIP LOCKED`
        expect(free).toBeUndefined()
        return { called, paid }
      })
      await called
      expect((await paid).status).toBe('pending')
    },
  )
})

describe('the receipt of an answer', () => {
  it('proves that the request lies within the signed rule, also after the rule became narrower', async () => {
    const { rule_id } = await make({ budget: { amount: '€100.00', per: 'month', uses: 10 } })
    const { peck_id } = await pay('€38.00')
    const rule = sent({ budget: { amount: '€10.00', per: 'month', uses: 1 } })
    await updateRule(await owner.context(), { rule_id, rule, passkey: undefined })
    const receipt = await outcomeReceipt(await agent.context(), { peckId: peck_id, withValues: true })
    const verified = await verifyOutcome(JSON.parse(JSON.stringify(receipt)), {
      issuer: config().baseUrl,
      keys: { keys: publicKeys() },
      require: 'service',
    })
    expect(verified).toMatchObject({
      ok: true,
      facts: { rule: { ruleId: rule_id, withinRule: 'proven' } },
    })
  })
})
