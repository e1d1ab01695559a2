import { RuleRequest } from '@beak/proofs/rules/rule'
import { describe, expect, it } from 'vitest'
import numbers from '@/packages/contract/numbers.json'
import { draftIn, draftInAddress, draftOf, type Query, ruleIn } from './draft'
import type { Rule } from './reads'

const filled: Query = { who: 'AGT-1', actions: 'pay:invoice, send:mail' }
const push = { actions: ['git:push'], params: { folder: { equals: '/srv/a' } }, answer: 'approve' }
const paramsOf = (kind: string, value: string) =>
  ruleIn(draftIn({ ...filled, name0: 'x', kind0: kind, value0: value }))?.params

describe('ruleIn', () => {
  it('returns null until the fields say who and what', () => {
    expect(ruleIn(draftIn({}))).toBeNull()
    expect(ruleIn(draftIn({ who: 'AGT-1' }))).toBeNull()
    expect(ruleIn(draftIn({ actions: 'pay:invoice' }))).toBeNull()
  })

  it('names one agent, or all agents of a person', () => {
    expect(ruleIn(draftIn(filled))).toMatchObject({
      agent_id: 'AGT-1',
      actions: ['pay:invoice', 'send:mail'],
      answer: 'approve',
      mode: 'on',
      expires_in: 2_592_000,
    })
    expect(ruleIn(draftIn({ ...filled, who: 'DUCK-1' }))).toMatchObject({ operator_id: 'DUCK-1' })
  })

  it('reads numbers and booleans as such, and a text in quotes as a text', () => {
    expect(paramsOf('equals', '5')).toEqual({ x: { equals: 5 } })
    expect(paramsOf('equals', '"5"')).toEqual({ x: { equals: '5' } })
    expect(paramsOf('equals', 'true')).toEqual({ x: { equals: true } })
    expect(paramsOf('at_most', '€50.00')).toEqual({ x: { at_most: '€50.00' } })
    expect(paramsOf('between', '1 to 10')).toEqual({ x: { between: [1, 10] } })
    expect(paramsOf('one_of', 'a, b')).toEqual({ x: { one_of: ['a', 'b'] } })
    expect(paramsOf('unchanged', '{"a":1}')).toEqual({ x: { unchanged: { a: 1 } } })
  })

  it('leaves the period out of a budget that only counts uses in all', () => {
    const budgetOf = (query: Query) => ruleIn(draftIn({ ...filled, ...query }))?.budget
    expect(budgetOf({ uses: '10', per: 'month' })).toEqual({ uses: 10 })
    expect(budgetOf({ amount: '€100.00', per: 'month' })).toEqual({ amount: '€100.00', per: 'month' })
    expect(budgetOf({ per: 'month' })).toBeUndefined()
  })

  it('keeps the reasons of risk of a changed rule only while its actions and the names of its details stay', () => {
    const rule = { ...RuleRequest.parse({ agent_id: 'AGT-1', ...push }), reasons: ['command'] } as Rule
    const fields = draftOf(rule)
    const change = (more: object) => ruleIn({ ...fields, ...more }, rule)?.reasons
    expect(change({ uses: '5' })).toEqual(['command'])
    expect(change({ rows: [{ name: 'folder', kind: 'equals', text: '/srv/b' }] })).toEqual(['command'])
    expect(change({ rows: [{ name: 'amount', kind: 'at_most', text: '€5.00' }] })).toBeUndefined()
    expect(change({ actions: 'pay:invoice' })).toBeUndefined()
  })
})

it('reads the rule that a program has put into the address, and nothing else', () => {
  const rule = {
    agent_id: 'AGT-01K8E5W3GQ0000000000000004',
    actions: ['pay:invoice'],
    params: { amount: { at_most: '€50.00' } },
    expires_in: 7 * 86_400,
    answer: 'approve',
  }
  const address = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  expect(draftInAddress(address(rule))).toMatchObject({
    who: rule.agent_id,
    actions: 'pay:invoice',
    rows: [{ name: 'amount', kind: 'at_most', text: '€50.00' }],
    days: '7',
  })
  for (const text of ['', 'x', address(null), address({ ...rule, answer: 'always' })])
    expect(draftInAddress(text)).toBeNull()
})

describe('a number', () => {
  const inAddress = (json: string) => draftInAddress(Buffer.from(json).toString('base64url'))

  it.each(numbers)('$text is in a rule as it is or not at all: accepted $accepted', ({ text, accepted }) => {
    const value: unknown = JSON.parse(text)
    expect(paramsOf('equals', text)).toEqual({ x: { equals: accepted ? value : text } })
    expect(paramsOf('at_most', text)).toEqual({ x: { at_most: accepted ? value : text } })
    const draft = draftIn({ ...filled, name0: 'x', kind0: 'unchanged', value0: `{"ids":[${text}]}` })
    expect(draft.inexact).toEqual(accepted ? [] : ['params.x.unchanged.ids.0'])
    expect(ruleIn(draft)?.params).toEqual(accepted ? { x: { unchanged: { ids: [value] } } } : undefined)
  })

  it.each(numbers.filter(({ accepted }) => !accepted))('$text in an address makes no rule', ({ text }) => {
    const draft = inAddress(
      `{"agent_id":"AGT-1","actions":["a:b"],"params":{"x":{"equals":${text}}},"expires_in":60,"answer":"ask"}`,
    )
    expect(draft).toMatchObject({ inexact: ['params.x.equals'], rows: [] })
    expect(draft && ruleIn({ ...draft, ...{ who: 'AGT-1', actions: 'a:b' } })).toBeNull()
  })
})
