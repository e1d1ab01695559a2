import { judge } from '@beak/proofs/rules/judge'
import { RuleRequest } from '@beak/proofs/rules/rule'
import { describe, expect, it } from 'vitest'
import { type AskedRequest, chosenSteps, nextRound, partsOf, proposedSteps, ruleWith } from './steps'
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

describe('proposedSteps', () => {
  const push = (params: Record<string, unknown> = {}): AskedRequest => ({
    action: 'git:push',
    requester,
    params: {
      line: 'git push origin feature/x',
      repository: 'github.com/ada/otter',
      branch: 'feature/x',
      branches: 'feature/…',
      force: false,
      folder: '/home/ada/otter',
      ...params,
    },
  })
  const proposed = (request: AskedRequest) => {
    const parts = partsOf(request) ?? []
    return ruleWith(request, parts, chosenSteps(parts, '', proposedSteps(request, parts)))
  }
  const fits = (request: AskedRequest) => {
    const rule = RuleRequest.parse(proposed(push()))
    const { action, params } = request
    return judge({ ...rule, reasons: [] }, { requester, action, scope: 'limited', params }).fits
  }

  it('proposes pushes to branches of a group in a repository, without force, 20 a day', () => {
    expect(proposed(push())).toMatchObject({
      actions: ['git:push'],
      params: {
        line: { any: true },
        repository: { equals: 'github.com/ada/otter' },
        branch: { any: true },
        branches: { equals: 'feature/…' },
        force: { equals: false },
        folder: { equals: '/home/ada/otter' },
      },
      budget: { uses_each: 20, per: 'day' },
    })
    expect(fits(push())).toBe(true)
    expect(fits(push({ line: 'git push -u origin feature/y', branch: 'feature/y' }))).toBe(true)
  })

  it.each([
    [{ force: true }],
    [{ repository: 'github.com/ada/mink' }],
    [{ branch: 'main', branches: undefined }],
    [{ branch: 'release/1', branches: 'release/…' }],
    [{ folder: '/home/ada/mink' }],
    [{ command: 'git push; rm -rf ~' }],
    [{ line: 'git push git@evil.example:x feature/x' }],
  ])('makes a rule that a push with %o does not fit', (change) => {
    const request = push(change)
    if ('branches' in change && change.branches === undefined) delete request.params.branches
    expect(fits(request)).toBe(false)
  })

  it('widens nothing of a push to a branch without a group, with force, or of another action', () => {
    const main = push({ branch: 'main' })
    delete main.params.branches
    for (const request of [main, push({ force: true }), { ...push(), action: 'run:command' }])
      expect(proposedSteps(request, partsOf(request) ?? []).every((step) => step === 0)).toBe(true)
  })

  it('offers no rule that leaves open whether a push forces, or to which group of branches', () => {
    for (const name of ['force', 'branches'])
      expect(partsOf(push())?.find((part) => part.name === name)?.steps).toHaveLength(1)
  })
})

describe('proposedSteps for money', () => {
  /** Returns what the page proposes for an amount that the person approved so often in 90 days. */
  const proposed = (amount: string, approved?: number) => {
    const request = { ...asking({ amount }), approved }
    const parts = partsOf(request) ?? []
    return ruleWith(request, parts, chosenSteps(parts, '', proposedSteps(request, parts)))
  }

  it.each([
    ['€45.00', undefined, '€100.00'],
    ['€20.00', undefined, '€50.00'],
    ['€50.00', 3, '€100.00'],
    ['€45.00', 13, '€250.00'],
    ['JPY 7', undefined, 'JPY 20'],
  ])(
    'proposes for %s after %s approvals a budget of %s, and never a larger amount each time',
    (amount, approved, budget) => {
      const rule = proposed(amount, approved)
      expect(rule.params).toEqual({ amount: { equals: amount } })
      expect(rule.budget).toEqual({ amount: budget, per: 'month' })
    },
  )

  it('still offers a budget for one request', () => {
    const money = partsOf(asking({ amount: '€45.00' }))?.find(({ kind }) => kind === 'money')
    expect(money?.steps.map(({ words }) => stepText(words))).toEqual([
      '€50.00 each month',
      '€100.00 each month',
      '€200.00 each month',
    ])
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
    expect([3800, 5000, 10_000, 1, 0, 7].map((size) => nextRound(size))).toEqual([
      5000, 10_000, 20_000, 2, 1, 10,
    ])
  })
})
