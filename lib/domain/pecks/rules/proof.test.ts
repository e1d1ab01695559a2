/** The receipts of requests that a rule answered, checked as a stranger checks them. */
import { pinnedKeys } from '@beak/proofs/log-keys'
import { contradictionBetween } from '@beak/proofs/receipts/contradiction'
import type { OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import { trustIn } from '@beak/proofs/receipts/policy'
import { checkReceipt } from '@beak/proofs/receipts/verify'
import type { OutcomeFacts } from '@beak/proofs/receipts/verify-outcome'
import { RuleRequest } from '@beak/proofs/rules/rule'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { challengePasskey } from '@/lib/domain/pecks/decide/challenge'
import { revokeGrant } from '@/lib/domain/pecks/grant/revoke'
import { pauseRule, resumeRule, updateRule } from '@/lib/domain/pecks/rules/commands'
import { appendToLog } from '@/lib/domain/tlog/append'
import { logVerifierKeys } from '@/lib/domain/tlog/origin'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { aRule, type SentRule, shopRule } from '@/lib/factories/rules'

let owner: ADuckling
let passkey: APasskey
let agent: AnAgent
beforeEach(async () => {
  owner = await aDuckling()
  passkey = await aPasskey(owner)
  await appendToLog(new Date(), { force: true })
  agent = await anAgent(owner)
})

const rule = (change: Partial<SentRule> = {}) =>
  aRule(owner, passkey.authenticator, shopRule(agent.agentId, change))

const pay = (amount: unknown = '€38.00') =>
  aPeck(agent, owner, { action: 'pay:invoice', params: { amount, to: 'shop@example.com' } })

const receiptOf = async (peckId: string, more = ''): Promise<OutcomeFile> => {
  const { body } = await call(`GET /beak/peck/outcome?peck_id=${peckId}${more}`, { token: owner.token })
  return body as unknown as OutcomeFile
}

async function factsOf(receipt: OutcomeFile): Promise<OutcomeFacts> {
  const vkeys = pinnedKeys(await logVerifierKeys(), 'ed25519')
  const verdict = await checkReceipt(receipt, receipt.jwks, { vkeys })
  if (!verdict.ok || verdict.facts.version === 1) throw new Error(JSON.stringify(verdict))
  return verdict.facts
}

const monthly = { budget: { amount: '€100.00', per: 'month', uses: 10, uses_each: 5 } } as const

describe('the receipt of a request that a rule answered', () => {
  it('proves that the request lies within the signed rule, and says what is left', async () => {
    const { rule_id, sentence } = await rule(monthly)
    await pay('€12.00')
    const facts = await factsOf(await receiptOf((await pay()).peck_id))
    expect(facts).toMatchObject({
      outcome: 'approved',
      statement: { decided_by: { type: 'rule', rule_id } },
      passkey: null,
      rule: {
        ruleId: rule_id,
        sentence,
        withinRule: 'proven',
        enrolment: { state: 'witness_not_trusted' },
        budget: {
          currency: 'EUR',
          cost: 3800,
          before: { uses: 1, period_uses: 1, amount: 1200 },
          after: { uses: 2, period_uses: 2, amount: 5000 },
          limits: { uses: 10, uses_each: 5, amount: 10_000 },
        },
      },
    })
    expect([trustIn(facts), trustIn(facts, { rules: 'accept' })]).toEqual(['service', 'signed'])
  })

  it('is valid for a rejection, which costs nothing', async () => {
    const params = { amount: { at_least: '€40.00' }, to: { equals: 'shop@example.com' } }
    const { rule_id } = await rule({ answer: 'reject', params })
    expect(await factsOf(await receiptOf((await pay('€41.00')).peck_id))).toMatchObject({
      outcome: 'rejected',
      rule: { ruleId: rule_id, withinRule: 'proven', budget: { cost: 0, currency: null } },
    })
  })

  it('is valid after a use, after an undo, and of a payment of nothing', async () => {
    await rule(monthly)
    const used = await pay()
    const before = await factsOf(await receiptOf(used.peck_id))
    await call('POST /beak/peck/consume', { body: { grant_token: used.grant_token, params: used.params } })
    const after = await factsOf(await receiptOf(used.peck_id))
    expect([before.outcome, after.outcome]).toEqual(['approved', 'consumed'])
    expect(contradictionBetween(before, after)).toBeNull()
    const undone = await pay('€1.00')
    await revokeGrant(await owner.context(), undone.peck_id)
    expect(await factsOf(await receiptOf(undone.peck_id))).toMatchObject({
      outcome: 'revoked',
      rule: { withinRule: 'proven', budget: { cost: 100 } },
    })
    expect(await factsOf(await receiptOf((await pay('€0.00')).peck_id))).toMatchObject({
      rule: { withinRule: 'proven', budget: { cost: 0, currency: null } },
    })
  })

  it('leaves the rule out together with the values', async () => {
    const { rule_id } = await rule()
    const { peck_id } = await pay()
    const receipt = await receiptOf(peck_id, '&values=false')
    expect(receipt).not.toHaveProperty('rule')
    const facts = await factsOf(receipt)
    expect([facts.rule, facts.statement]).toMatchObject([null, { decided_by: { type: 'rule', rule_id } }])
    expect(trustIn(facts, { rules: 'accept' })).toBe('service')
  })

  it('says that values are hidden when its owner removes some', async () => {
    await rule(monthly)
    const { values, ...receipt } = await receiptOf((await pay()).peck_id)
    const [first] = values?.params ?? []
    for (const params of [[], first === undefined ? [] : [first]]) {
      const facts = await factsOf({ ...receipt, values: { params } } as OutcomeFile)
      expect(facts.rule?.withinRule).toBe('values_hidden')
    }
  })

  it('is valid with a rule that was made narrower, also with periods that it did not have', async () => {
    const { rule_id } = await rule({ budget: { uses: 10 } })
    const earlier = await pay('€40.00')
    const budget = { uses: 5, amount: '€80.00', per: 'day', uses_each: 2 } as const
    const narrower = RuleRequest.parse(
      shopRule(agent.agentId, {
        budget,
        params: { amount: { at_most: '€38.00' }, to: { equals: 'shop@example.com' } },
      }),
    )
    await updateRule(await owner.context(), { rule_id, rule: narrower, passkey: undefined })
    for (const { peck_id } of [earlier, await pay()])
      expect((await factsOf(await receiptOf(peck_id))).rule?.withinRule).toBe('proven')
  })

  it('is valid with a rule that was signed again to resume it', async () => {
    const { rule_id, expires_at } = await rule(monthly)
    await pauseRule(await owner.context(), rule_id)
    const options = await challengePasskey(await owner.context(), { purpose: 'rule', rule_id })
    await resumeRule(await owner.context(), { id: rule_id, passkey: passkey.authenticator.get(options) })
    const facts = await factsOf(await receiptOf((await pay()).peck_id))
    expect(facts.rule?.statement.expires_at).toBe(new Date(expires_at).toISOString())
  })
})
