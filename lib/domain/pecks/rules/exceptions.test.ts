/** Takes one of several rules away, or makes it narrower, and compares which requests are approved before and after. */
import type { Constraint, Rule } from '@beak/proofs/rules/rule'
import { RuleRequest } from '@beak/proofs/rules/rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CandidateRule } from '@/lib/domain/rules/end-rules'
import { shopRule } from '@/lib/factories/rules'
import { mayAllowMore } from './exceptions'
import { isNarrower } from './narrow'
import { type AskedFacts, verdictsOf } from './verdict'

const amounts: Constraint[] = [
  { at_most: '€50.00' },
  { at_most: '€20.00' },
  { equals: '€20.00' },
  { between: ['€20.01', '€50.00'] },
  { one_of: ['€5.00', '€41.00'] },
]
const recipients: Constraint[] = [
  { domain: 'example.com' },
  { domain: 'shop.example.com' },
  { equals: 'a@example.com' },
  { one_of: ['a@example.com', 'b@shop.example.com'] },
]
const notes: (Constraint | undefined)[] = [undefined, undefined, undefined, { any: true }, { equals: 'x' }]
const files: (Constraint | undefined)[] = [undefined, undefined, undefined, { path_below: '/srv' }]

const parts = {
  actions: fc.constantFrom<string[]>(['pay:invoice'], ['pay:bill'], ['pay:invoice', 'pay:bill']),
  amount: fc.constantFrom(...amounts),
  to: fc.constantFrom(...recipients),
}
const ruleForm = fc.record({
  ...parts,
  isForAll: fc.constantFrom(false, false, false, true),
  note: fc.constantFrom(...notes),
  file: fc.constantFrom(...files),
  answer: fc.constantFrom('approve', 'approve', 'approve', 'reject', 'ask'),
  mode: fc.constantFrom('on', 'on', 'on', 'watch'),
})
type RuleForm = typeof ruleForm extends fc.Arbitrary<infer T> ? T : never

function ruleOf({ isForAll, amount, to, note, file, ...form }: RuleForm): Rule {
  const optional = Object.entries({ note, file }).filter(([, constraint]) => constraint !== undefined)
  const change = {
    ...form,
    params: { amount, to, ...Object.fromEntries(optional) },
    ...(isForAll ? { agent_id: undefined, operator_id: 'DUCK-1' } : {}),
  } as Parameters<typeof shopRule>[1]
  return { ...RuleRequest.parse(shopRule('AGT-1', change)), reasons: ['money'] } as Rule
}

const requests = ['pay:invoice', 'pay:bill'].flatMap((action) =>
  ['€5.00', '€20.00', '€41.00'].flatMap((amount) =>
    ['a@example.com', 'b@shop.example.com'].flatMap((to) =>
      [{}, { note: 'x' }, { file: '/srv/a/b' }, { note: 'y', file: '/srv/b' }].map((more) => ({
        action,
        params: { amount, to, ...more },
      })),
    ),
  ),
)

interface Held {
  rule: Rule
  isPaused: boolean
  isSpent: boolean
}

const candidateOf = ({ rule, isPaused }: Held, at: number): CandidateRule => ({
  id: `RULE-${at}`,
  answers: !isPaused,
  rule: JSON.stringify(rule),
  watches: rule.mode === 'watch',
  timeZone: 'UTC',
  statementId: '',
  riskVersion: 2,
  reportedRisk: null,
  expiresAt: '2027-01-01T00:00:00Z',
})

/** Returns whether each request is approved. A rule whose budget is spent leaves the answer to the person. */
function approvedBy(rules: (Held | null)[]): boolean[] {
  const candidates = rules.flatMap((held, at) =>
    held === null || (held.isPaused && held.rule.mode === 'watch') ? [] : [candidateOf(held, at)],
  )
  return requests.map(({ action, params }) => {
    const facts = {
      request: {
        requester: { duckling_id: 'DUCK-1', agent_id: 'AGT-1' },
        action,
        scope: 'limited',
        params,
        requireSigned: false,
        targetDucklingId: 'DUCK-1',
      },
      risk: { level: 'medium', reasons: [] },
      knowsAsker: true,
      isBlocked: false,
      targetTier: 'T2',
      targetVerified: true,
      targetRequiresPasskey: false,
      targetApprover: null,
      rulesPausedAt: null,
      agentBudget: null,
    } as unknown as AskedFacts
    const fitting = candidates.filter(({ rule }) => (JSON.parse(rule) as Rule).actions.includes(action))
    const { verdict } = verdictsOf(fitting, facts)
    const at = verdict === null ? -1 : Number(verdict.candidate.id.slice(5))
    return verdict?.answer === 'approve' && !rules[at]?.isSpent
  })
}

const held = fc.record({
  form: ruleForm,
  isPaused: fc.constantFrom(false, false, true),
  isSpent: fc.boolean(),
})
/** What is changed of a rule. */
const changes = fc.record(parts, { requiredKeys: [] })
const sets = fc.array(held, { minLength: 1, maxLength: 3 })

const wide: RuleForm = {
  isForAll: false,
  actions: ['pay:invoice'],
  amount: { at_most: '€50.00' },
  to: { domain: 'example.com' },
  note: undefined,
  file: undefined,
  answer: 'approve',
  mode: 'on',
}

describe('a change without a proof', () => {
  // security: session-7
  it('lets no request be approved that was not, whatever other rules there are', () => {
    let free = 0
    fc.assert(
      fc.property(
        sets,
        changes,
        fc.constantFrom('end', 'pause', 'change', 'change'),
        (forms, changed, kind) => {
          const rules: Held[] = forms.map(({ form, ...state }) => ({ rule: ruleOf(form), ...state }))
          const [first, ...others] = rules as [Held, ...Held[]]
          const after = kind === 'change' ? ruleOf({ ...forms[0]?.form, ...changed } as RuleForm) : null
          if (after !== null && (first.isPaused || !isNarrower(after, first.rule))) return
          const approving = others
            .map(({ rule }) => rule)
            .filter(({ answer, mode }) => answer === 'approve' && mode === 'on')
          if (mayAllowMore({ before: first.rule, after }, approving)) return
          free++
          const next =
            kind === 'end'
              ? null
              : kind === 'pause'
                ? { ...first, isPaused: true }
                : { ...first, rule: after ?? first.rule }
          const [then, now] = [approvedBy(rules), approvedBy([next, ...others])]
          expect(now.map((isApproved, at) => isApproved && !then[at])).not.toContain(true)
        },
      ),
      { numRuns: 700 },
    )
    expect(free).toBeGreaterThan(70)
  })

  it('is possible for a rule that only approves, beside rules for other requests and narrower ones', () => {
    const rule = ruleOf(wide)
    const apart = [
      { ...wide, actions: ['pay:bill'] },
      { ...wide, note: { equals: 'x' } },
      { ...wide, to: { domain: 'other.example' } },
      { ...wide, to: { equals: 'a@other.example' } },
      { ...wide, amount: { at_least: '€50.01' } },
      { ...wide, amount: { equals: '€20.00' } },
      { ...wide, answer: 'reject' },
      { ...wide, mode: 'watch' },
    ] as RuleForm[]
    const approving = apart.map(ruleOf).filter(({ answer, mode }) => answer === 'approve' && mode === 'on')
    expect(mayAllowMore({ before: rule, after: null }, approving)).toBe(false)
    expect(
      mayAllowMore({ before: ruleOf({ ...wide, mode: 'watch', answer: 'reject' }), after: null }, []),
    ).toBe(false)
    expect(mayAllowMore({ before: rule, after: null }, [ruleOf({ ...wide, isForAll: true })])).toBe(true)
    expect(mayAllowMore({ before: ruleOf({ ...wide, answer: 'ask' }), after: null }, [])).toBe(true)
  })

  it('is not possible when a narrower rule would come before one that came before it', () => {
    const to = { equals: 'a@example.com' }
    const before = ruleOf(wide)
    const after = ruleOf({ ...wide, amount: { equals: '€20.00' }, to })
    const other = ruleOf({ ...wide, to })
    expect(mayAllowMore({ before, after: null }, [other])).toBe(false)
    expect(mayAllowMore({ before, after }, [other])).toBe(true)
  })
})
