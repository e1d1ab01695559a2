/** The form that changes a rule: what nobody changes stays, and a step says on which side of the current value it is. */
import { canonicalText } from '@beak/proofs/canonical'
import { type Constraint, Rule, RuleRequest } from '@beak/proofs/rules/rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNarrower } from '@/lib/domain/pecks/rules/narrow'
import { draftIn, draftOf, type Query, ruleIn } from './draft'
import { editParts, isPlain } from './edit-steps'
import type { Subject } from './reads'
import { chosenSteps, withSteps } from './steps'
import { stepText } from './words'

/** Texts that the fields of a form change: lines, spaces around, commas, quotes, digits of other scripts. */
const text = fc.oneof(
  fc.constantFrom(
    'a, b',
    'a\nb',
    ' a ',
    '"5"',
    '5',
    'true',
    '',
    'x to y',
    '٥',
    'Ａ.example',
    'a\u2028b',
    '{}',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)
const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constantFrom(1.5, 1e21))
const amount = fc.constantFrom('€50.00', '€1,000.00', 'JPY 7', '€0.01', 'EUR 20')
const bound = fc.oneof(amount, fc.integer(), fc.constantFrom('2026-12-24', '2026-12-24T10:00:00Z', 0.5))
const constraint: fc.Arbitrary<Constraint> = fc.oneof(
  fc.record({ equals: scalar }),
  fc.record({ one_of: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
  fc.record({ at_most: bound }),
  fc.record({ at_least: bound }),
  fc.constant<Constraint>({ between: ['€1.00', '€50.00'] }),
  fc.constant<Constraint>({ between: [-1.5, 10] }),
  fc.constantFrom<Constraint>({ domain: 'example.com' }, { domain: 'shop.example.com' }),
  fc.constantFrom<Constraint>({ path_below: '/srv/work/' }, { path_below: '/a/ b' }),
  fc.record({ unchanged: fc.jsonValue({ maxDepth: 2 }) }),
  fc.constant<Constraint>({ any: true }),
)
const names = fc.oneof(
  fc.constantFrom('amount', 'to', 'note', 'folder', 'currency', ' note', 'no\nte', '', 'depth'),
  text,
)
const budget = fc
  .record(
    {
      amount,
      per: fc.constantFrom('day', 'week', 'month'),
      uses: fc.integer({ min: 1, max: 500 }),
      uses_each: fc.integer({ min: 1, max: 500 }),
    },
    { requiredKeys: [] },
  )
  .filter(({ per, uses_each }) => uses_each === undefined || per !== undefined)
const rules: fc.Arbitrary<Rule> = fc
  .record(
    {
      who: fc.constantFrom({ agent_id: 'AGT-1' }, { agent_id: 'AGT-3' }, { operator_id: 'DUCK-1' }),
      actions: fc.uniqueArray(fc.constantFrom('pay:invoice', 'send:email', 'git:push', 'do:it'), {
        minLength: 1,
        maxLength: 3,
      }),
      params: fc.dictionary(names, constraint, { maxKeys: 20 }),
      budget,
      reasons: fc.uniqueArray(fc.constantFrom('money', 'outward', 'command'), { maxLength: 3 }),
      expires_in: fc.integer({ min: 60, max: 31_536_000 }),
      answer: fc.constantFrom('approve', 'reject', 'ask'),
      mode: fc.constantFrom('on', 'watch'),
    },
    { requiredKeys: ['who', 'actions', 'params', 'reasons', 'expires_in', 'answer', 'mode'] },
  )
  .map(({ who, ...rest }) => ({ ...who, ...rest }))
  .filter((rule) => Rule.safeParse(rule).success) as fc.Arbitrary<Rule>

const subjects: Subject[] = [
  { id: 'AGT-1', name: '“Scout”', isOwn: true },
  { id: 'AGT-2', name: '“Courier”', isOwn: true },
  { id: 'DUCK-1', name: 'all your agents', isOwn: true },
  { id: 'AGT-3', name: '“Heron” of Teal', isOwn: false },
]

/** Returns the fields of the form as a browser sends them. */
function sent(rule: Rule): Query {
  const draft = draftOf(rule)
  const rows = draft.rows.flatMap((row, at) => [
    [`name${at}`, row.name],
    [`kind${at}`, row.kind],
    [`value${at}`, row.text],
  ])
  const fields = {
    who: draft.who,
    actions: draft.actions,
    amount: draft.amount,
    per: draft.per,
    uses: draft.uses,
    uses_each: draft.usesEach,
    days: draft.days,
    answer: draft.answer,
    mode: draft.isWatching ? 'watch' : 'on',
    ...Object.fromEntries(rows),
  }
  const lines = Object.entries(fields).map(([name, value]) => [name, String(value).replace(/[\r\n]/g, '')])
  return Object.fromEntries(new URLSearchParams(lines.filter(([, value]) => value !== '')))
}

const shop: Rule = {
  agent_id: 'AGT-1',
  actions: ['pay:invoice'],
  params: { amount: { at_most: '€50.00' }, to: { equals: 'shop@example.com' } },
  budget: { amount: '€100.00', per: 'month' },
  reasons: ['money'],
  expires_in: 2_592_000,
  answer: 'approve',
  mode: 'on',
}

const chipsOf = (rule: Rule, wanted: string) =>
  editParts(rule, subjects, '25 December 2098')
    .filter(({ kind, name }) => (name || kind) === wanted)
    .map(({ steps, proposed = 0 }) =>
      steps.map(({ words }, at) => (at === proposed ? `[${stepText(words)}]` : stepText(words))),
    )

describe('a form that nobody changed', () => {
  it('returns the same rule from its steps, whatever the rule has', () => {
    fc.assert(
      fc.property(rules, (rule) => {
        const parts = editParts(rule, subjects, '25 December 2098')
        const chosen = parts.map(({ proposed = 0 }) => proposed)
        expect(canonicalText(withSteps(rule, parts, chosen))).toBe(canonicalText(rule))
      }),
    )
  })

  it('returns the same rule from its fields, whatever the rule has', () => {
    fc.assert(
      fc.property(rules, (rule) => {
        const draft = draftIn(sent(rule))
        expect(canonicalText(ruleIn(draft, rule))).toBe(canonicalText(rule))
      }),
    )
  })
})

it('allows nothing more by a step before the current value, and says of each wider one that it needs the passkey', () => {
  fc.assert(
    fc.property(rules, (rule) => {
      const parts = editParts(rule, subjects, '25 December 2098')
      const now = parts.map(({ proposed = 0 }) => proposed)
      for (const [at, { kind, steps }] of parts.entries())
        for (const [step] of steps.entries()) {
          const changed = withSteps(rule, parts, chosenSteps(parts, now.with(at, step).join('.')))
          const parsed = RuleRequest.safeParse(changed)
          if (step === now[at] || !parsed.success) continue
          const after = { reasons: [], ...parsed.data }
          const isShorter = (after.expires_in ?? 0) <= rule.expires_in
          expect([kind, step, isNarrower(after, rule) && isShorter]).toEqual([
            kind,
            step,
            step < (now[at] ?? 0),
          ])
        }
    }),
  )
})

describe('editParts', () => {
  it('has the current value of each part between narrower and wider ones', () => {
    expect(chipsOf(shop, 'who')).toEqual([['[“Scout”]', '“Courier”', 'all your agents']])
    expect(chipsOf(shop, 'what')).toEqual([['[Pay an invoice]']])
    expect(chipsOf(shop, 'amount')).toEqual([
      ['up to €20.00', '[up to €50.00]', 'up to €100.00', 'up to €200.00'],
    ])
    expect(chipsOf(shop, 'to')).toEqual([['[shop@example.com]', 'anyone at example.com']])
    expect(chipsOf(shop, 'money')).toEqual([
      ['€50.00 each month', '[€100.00 each month]', '€200.00 each month', '€500.00 each month'],
    ])
    expect(chipsOf(shop, 'days')).toEqual([
      ['in 7 days', '[25 December 2098 (now)]', 'in 90 days', 'in 365 days'],
    ])
    expect(chipsOf(shop, 'mode')).toEqual([['Only watch, and still ask me', '[Answer it]']])
  })

  it('says of a rule that has ended that it would begin again, and not that it is so now', () => {
    const days = editParts(shop, subjects, null).find(({ kind }) => kind === 'days')
    expect(days?.steps.map(({ words }) => stepText(words))).toContain('As long as before')
    expect(days?.steps.map(({ words }) => stepText(words)).join()).not.toContain('now')
  })

  it('offers to leave out actions and to set a limit of uses where there is none', () => {
    const { budget: _, ...open } = { ...shop, actions: ['read:calendar', 'read:contacts'] }
    expect(chipsOf(open, 'what')).toEqual([
      ['Read a calendar', 'Read contacts', '[Read a calendar, Read contacts]'],
    ])
    expect(chipsOf(open, 'uses')).toEqual([['10 times', '50 times', '200 times', '[any number of times]']])
  })

  it('has no step that moves a rule to an agent of another person', () => {
    expect(chipsOf({ ...shop, agent_id: 'AGT-3' }, 'who')).toEqual([['[“Heron” of Teal]']])
  })
})

it('is plain when the steps can change each condition', () => {
  expect(isPlain(shop)).toBe(true)
  for (const odd of [
    { at_least: 5 },
    { between: [1, 2] },
    { one_of: ['a'] },
    { unchanged: [1] },
  ] as Constraint[])
    expect(isPlain({ params: { ...shop.params, odd } })).toBe(false)
})
