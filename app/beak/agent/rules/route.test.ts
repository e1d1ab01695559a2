import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { aRule, type SentRule, shopRule } from '@/lib/factories/rules'

let operator: ADuckling
let agent: AnAgent
let other: ADuckling
let passkeys: Map<ADuckling, APasskey>
beforeEach(async () => {
  operator = await aDuckling()
  other = await aDuckling({ tier: 'T2' })
  passkeys = new Map([
    [operator, await aPasskey(operator)],
    [other, await aPasskey(other)],
  ])
  agent = await anAgent(operator)
  await acquaint(other, agent.agentId)
})

function ruleOf(owner: ADuckling, change: Partial<SentRule> = {}) {
  const passkey = passkeys.get(owner)
  if (passkey === undefined) throw new Error('only the two have passkeys')
  return aRule(owner, passkey.authenticator, shopRule(agent.agentId, change))
}

const read = async () => (await call('GET /beak/agent/rules', { key: agent.beakKey })).body
const idsNow = async () => (await read()).rules.map(({ rule_id }: { rule_id: string }) => rule_id)
const pay = (target: ADuckling) =>
  aPeck(agent, target, { action: 'pay:invoice', params: { amount: '€38.00', to: 'shop@example.com' } })

describe('200', () => {
  it('returns rules of the operator, for the agent and for all its agents, with what is left', async () => {
    const { rule_id, sentence } = await ruleOf(operator, {
      budget: { amount: '€100.00', per: 'month', uses: 3 },
    })
    const all = await ruleOf(operator, { agent_id: undefined, operator_id: operator.id, answer: 'reject' })
    const body = await read()
    expect(body.rules).toMatchObject([
      {
        rule_id,
        target_duckling_id: operator.id,
        sentence,
        actions: ['pay:invoice'],
        answer: 'approve',
        left: { uses: 3, uses_each: null, amount: '€100.00' },
      },
      { rule_id: all.rule_id, answer: 'reject' },
    ])
    expect(body.budgets).toEqual([])
  })

  // security: stranger-35
  it('returns the rule of somebody else only once it has answered the agent', async () => {
    const { rule_id } = await ruleOf(other)
    expect(await idsNow()).toEqual([])
    expect((await pay(other)).status).toBe('approved')
    expect(await idsNow()).toEqual([rule_id])
  })

  it('does not return the rule of somebody else for all agents before it has answered this one', async () => {
    const second = await anAgent(operator)
    await acquaint(other, second.agentId)
    const { rule_id } = await ruleOf(other, { agent_id: undefined, operator_id: operator.id })
    await aPeck(second, other, {
      action: 'pay:invoice',
      params: { amount: '€38.00', to: 'shop@example.com' },
    })
    expect(await idsNow()).toEqual([])
    const seen = await call('GET /beak/agent/rules', { key: second.beakKey })
    expect(seen.body.rules).toMatchObject([{ rule_id, target_duckling_id: other.id }])
  })

  it('returns no rule that is paused, ended or only watches, and none while all are paused', async () => {
    const kept = await ruleOf(operator)
    // No rule is an exception of another one, so pausing and ending them needs no proof.
    const [paused, ended] = [
      await ruleOf(operator, { actions: ['pay:fine'] }),
      await ruleOf(operator, { actions: ['pay:rent'] }),
    ]
    await ruleOf(operator, { mode: 'watch' })
    const { token } = operator
    await call('POST /beak/rule/pause', { token, body: { rule_id: paused.rule_id } })
    await call('POST /beak/rule/end', { token, body: { rule_id: ended.rule_id } })
    expect(await idsNow()).toEqual([kept.rule_id])
    await call('POST /beak/rule/pause', { token, body: { all: true } })
    expect(await idsNow()).toEqual([])
  })

  it('returns what is left of the budget over all rules', async () => {
    const body = { agent_id: agent.agentId, budget: { amount: '€50.00', per: 'day' } }
    await call('POST /beak/rule/budget', { token: operator.token, body })
    await ruleOf(operator)
    await pay(operator)
    expect((await read()).budgets).toEqual([
      { target_duckling_id: operator.id, left: { uses: null, uses_each: null, amount: '€12.00' } },
    ])
  })
})
