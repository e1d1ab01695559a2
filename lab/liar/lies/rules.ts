/** Lies with a rule that Nadia really signed, at shops that accept rules. */
import { canonicalText } from '@beak/proofs/canonical'
import { periodOf } from '@beak/proofs/rules/period'
import type { Rule, RuleSpent, RuleStatement } from '@beak/proofs/rules/rule'
import { config } from '@/lib/kernel/config'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import type { Evidence, Lie } from '../evidence'
import { enrolmentOf } from '../host/enter'
import { forgeReceipt, madeUpStatement, offerOf, treeOf } from '../host/forge'
import { logNow } from '../host/start'
import { contradict } from '../judges/copies'
import { signText, termsOf } from '../people/decide'
import type { Offer } from '../people/terms'
import type { World } from '../people/world'

const minor = 5000

/** At most €50 a month, in two uses. */
const ruleFor = (world: World): Rule => ({
  agent_id: world.agent.id,
  actions: ['pay:invoice'],
  params: { amount: { at_most: '€50.00' }, to: { equals: 'Mallory Ltd' } },
  budget: { amount: '€50.00', per: 'month', uses: 2 },
  reasons: ['money'],
  expires_in: 1_296_000,
  answer: 'approve',
  mode: 'on',
})

/** Nadia signs the rule on a page of the service, `daysAgo` by the dates in it. Returns a function that makes receipts of its answers. */
async function signRule(world: World, daysAgo: number) {
  const { credentialId } = world.authenticator
  const log = treeOf(await logNow(world.host))
  const createdAt = secondsAfter(readClock(), -daysAgo * 86_400)
  const rule = ruleFor(world)
  const statement: RuleStatement = {
    type: 'beak.rule',
    version: 1,
    issuer: config().baseUrl,
    nonce: newId('rule', readClock()),
    rule_id: newId('rule', createdAt),
    duckling_id: world.nadia.id,
    rule,
    time_zone: 'UTC',
    sentence: 'Approve without asking me: pay an invoice, when amount is at most €50.00.',
    created_at: createdAt.toISOString(),
    expires_at: secondsAfter(createdAt, rule.expires_in).toISOString(),
    log,
  }
  const passkey = signText(world, 'service', canonicalText(statement))
  const enrolment = await enrolmentOf(world, { credentialId, publicKey: passkey.public_key }, log)
  return (audience: string, decidedAt: Date, grantSeconds: number | null): Offer => {
    const params = { amount: '€50.00', to: 'Mallory Ltd' }
    const terms = termsOf(world, { challenge: null, audience, params })
    const decision = madeUpStatement(terms, {
      peck_id: newId('peck', decidedAt),
      decided_by: { type: 'rule', rule_id: statement.rule_id },
      created_at: decidedAt.toISOString(),
      expires_at: secondsAfter(decidedAt, 3600).toISOString(),
      grant_seconds: grantSeconds,
    })
    const before: RuleSpent = { uses: 0, period_uses: 0, amount: 0 }
    const budget = {
      currency: 'EUR',
      cost: minor,
      period: periodOf('month', 'UTC', decidedAt),
      before,
      after: { uses: 1, period_uses: 1, amount: minor },
      limits: { uses: 2, uses_each: null, amount: minor },
    }
    const proof = { statement_text: canonicalText(statement), passkey, enrolment, budget }
    return offerOf(terms, forgeReceipt(terms, { statement: decision, rule: proof, decidedAt }))
  }
}

/** The shop has accepted a payment of the whole month. The second receipt says again that nothing was spent. */
async function spentAgain(world: World): Promise<Evidence> {
  const answer = await signRule(world, 0)
  const [first, second] = [1, 2].map(() => answer('shop.example', readClock(), 3600))
  return {
    acceptsRules: true,
    before: first === undefined ? [] : [first],
    ...(second === undefined ? {} : { offer: second }),
    isInReceipt: false,
    shownLater: async () => second?.answer.receipt as never,
  }
}

/** The rule ended ten days ago, and its permission has no end. */
async function endedRule(world: World): Promise<Evidence> {
  const answer = await signRule(world, 25)
  return { acceptsRules: true, offer: answer('shop.example', secondsAfter(readClock(), -15 * 86_400), null) }
}

/** Each of two shops sees the whole budget. */
async function atTwoShops(world: World): Promise<Evidence> {
  const answer = await signRule(world, 0)
  const now = readClock()
  const [other, offer] = [answer('other.example', now, 3600), answer('shop.example', now, 3600)]
  return {
    acceptsRules: true,
    offer,
    hasContradiction: () => contradict(other.answer.receipt as never, offer.answer.receipt as never),
  }
}

export const ruleLies: Lie[] = [
  {
    forged: 'A rule of €50 a month that was spent at this shop, and of which nothing was spent again',
    access: 'key of the service',
    play: spentAgain,
    isSameEverywhere: true,
  },
  {
    forged: 'An answer of a rule that ended ten days ago, dated back, with a permission that has no end',
    access: 'key of the service',
    play: endedRule,
    isSameEverywhere: true,
  },
  {
    forged: 'The budget of a rule, spent at two shops',
    access: 'key of the service',
    play: atTwoShops,
    isSameEverywhere: true,
    why: 'each shop counts only its own uses',
  },
]
