import { judge } from '@beak/proofs/rules/judge'
import { RuleRequest } from '@beak/proofs/rules/rule'
import { describe, expect, it } from 'vitest'
import { type AskedRequest, chosenSteps, nextRound, partsOf, ruleWith } from './steps'
import { stepText } from './words'

const requester = { duckling_id: 'DUCK-1', agent_id: 'AGT-1' }
const asking = (params: Record<string, unknown>): AskedRequest => ({
  action: 'pay:invoice',
  params,
  requester,
})

/** Returns what the chips of a param say. */
function chipsOf(params: Record<string, unknown>, name = Object.keys(params)[0] ?? ''): string[] {
  const part = partsOf(asking(params))?.find((one) => one.name === name)
  return part?.steps.map(({ words }) => stepText(words)) ?? []
}

/** Returns the rule with the same step everywhere, at most the last one of each part. */
function ruleAt(request: AskedRequest, step: number) {
  const parts = partsOf(request) ?? []
  return ruleWith(
    request,
    parts,
    parts.map(({ steps }) => Math.min(step, steps.length - 1)),
  )
}

describe('partsOf', () => {
  it('widens an amount to round ones, and never to any', () => {
    expect(chipsOf({ amount: '€38.00' })).toEqual(['€38.00', 'up to €50.00', 'up to €100.00'])
    expect(chipsOf({ amount: 38, currency: 'EUR' })).toEqual(['38', 'up to €50.00', 'up to €100.00'])
    expect(chipsOf({ amount: 38, currency: 'EUR' }, 'currency')).toEqual(['EUR'])
  })

  it('widens an address to its domain, and never to any', () => {
    expect(chipsOf({ to: 'shop@example.com' })).toEqual(['shop@example.com', 'anyone at example.com'])
    expect(chipsOf({ page: 'https://example.com/a' })).toEqual([
      'https://example.com/a',
      'anyone at example.com',
    ])
  })

  // security: agent-7
  it('widens a path to its folders, and never to the root', () => {
    expect(chipsOf({ file: '/home/me/a.txt' })).toEqual([
      '/home/me/a.txt',
      'anything below /home/me',
      'anything below /home',
    ])
    expect(chipsOf({ file: '/notes' })).toEqual(['/notes'])
    expect(chipsOf({ file: '/home/../srv//a/b' })[1]).toBe('anything below /srv/a')
  })

  it('widens harmless values to any, and leaves recipients without an address alone', () => {
    expect(chipsOf({ subject: 'Bread' })).toEqual(['Bread', 'anything'])
    expect(chipsOf({ urgent: true })).toEqual(['true', 'anything'])
    expect(chipsOf({ recipient: 'Anna' })).toEqual(['Anna'])
    expect(chipsOf({ lines: [1, 2] })).toEqual(['[1,2]'])
  })

  it('returns null for secrets, unclear amounts and values that no rule can name', () => {
    expect(partsOf(asking({ password: 'hunter2hunter2' }))).toBeNull()
    expect(partsOf(asking({ amount: '€4,800' }))).toBeNull()
    expect(partsOf(asking({ list: ['x'.repeat(5000)] }))).toBeNull()
  })

  it.each([0, 1, 2, 3])('makes a rule of step %i that the request lies within', (step) => {
    const request = asking({ amount: '€38.00', to: 'shop@example.com', subject: 'Bread', file: '/a/b/c' })
    const rule = RuleRequest.parse(ruleAt(request, step))
    const { action, params } = request
    const judged = judge({ ...rule, reasons: [] }, { requester, action, scope: 'limited', params })
    expect(judged).toMatchObject({ fits: true })
  })
})

describe('chosenSteps', () => {
  it('takes the narrowest step for a missing or wrong number', () => {
    const parts = partsOf(asking({ subject: 'Bread' })) ?? []
    expect(chosenSteps(parts, '1.1.9.-1')).toEqual([1, 1, 0, 0])
    expect(chosenSteps(parts, '')).toEqual([0, 0, 0, 0])
    expect(chosenSteps(parts, '0.5e-1.x')).toEqual([0, 0, 0, 0])
  })
})

describe('nextRound', () => {
  it('returns the next of 1, 2 and 5 times a power of ten', () => {
    expect([3800, 5000, 10_000, 1, 0, 7].map(nextRound)).toEqual([5000, 10_000, 20_000, 2, 1, 10])
  })
})
