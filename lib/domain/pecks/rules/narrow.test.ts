import { judge } from '@beak/proofs/rules/judge'
import type { Constraint, Rule } from '@beak/proofs/rules/rule'
import { RuleRequest } from '@beak/proofs/rules/rule'
import { describe, expect, it } from 'vitest'
import { shopRule } from '@/lib/factories/rules'
import { isNarrower } from './narrow'

const ruleWith = (params: Record<string, Constraint>): Rule =>
  ({ ...RuleRequest.parse(shopRule('AGT-1', { params })), reasons: [] }) as Rule

const fits = (rule: Rule, params: Record<string, unknown>) =>
  judge(rule, {
    requester: { duckling_id: 'DUCK-1', agent_id: 'AGT-1' },
    action: 'pay:invoice',
    scope: 'limited',
    params,
  }).fits

const constraints: Constraint[] = [
  { equals: 5 },
  { equals: '5' },
  { equals: '€5.00' },
  { equals: 'a@example.com' },
  { one_of: [5, 50] },
  { one_of: ['€5.00', '5.00 USD'] },
  { at_most: 50 },
  { at_most: '€50.00' },
  { at_least: '€1.00' },
  { between: ['€1.00', '€9.00'] },
  { domain: 'example.com' },
  { domain: 'a.example.com' },
  { path_below: '/srv' },
  { path_below: '/srv/a' },
  { unchanged: { amount: 5, currency: 'EUR' } },
  { any: true },
]

const values = [
  5,
  50,
  51,
  -5,
  '5',
  '€5.00',
  '5.00 USD',
  'a@example.com',
  'b@a.example.com',
  '/srv/a/b',
  'x',
  null,
  { amount: 5, currency: 'EUR' },
]

describe('a narrower rule', () => {
  it('fits no request that the wider one does not fit, with and without a currency beside the values', () => {
    const found: string[] = []
    for (const inner of constraints)
      for (const outer of constraints)
        for (const more of [{}, { currency: { any: true } }] as Record<string, Constraint>[]) {
          const [narrow, wide] = [ruleWith({ v: inner, ...more }), ruleWith({ v: outer, ...more })]
          if (!isNarrower(narrow, wide)) continue
          for (const v of values)
            for (const beside of 'currency' in more ? [{}, { currency: 'EUR' }, { currency: 'USD' }] : [{}])
              if (fits(narrow, { v, ...beside }) && !fits(wide, { v, ...beside }))
                found.push(JSON.stringify([inner, outer, { v, ...beside }]))
        }
    expect(found).toEqual([])
  })

  it('does not name somebody for whom the wider one had `any`, which fits nobody', () => {
    const [narrow, wide] = [
      ruleWith({ beneficiary: { equals: 'Mallory' } }),
      ruleWith({ beneficiary: { any: true } }),
    ]
    expect([isNarrower(narrow, wide), isNarrower(wide, wide)]).toEqual([false, true])
  })
})
