import { RuleRequest } from '@beak/proofs/rules/rule'
import { describe, expect, it } from 'vitest'
import { ruleSentence } from './sentence'

const until = new Date('2026-12-25T10:00:00Z')

function sentenceOf(rule: object): string {
  const parsed = RuleRequest.parse({
    agent_id: 'AGT-1',
    answer: 'approve',
    actions: ['pay:invoice'],
    ...rule,
  })
  return ruleSentence({ ...parsed, reasons: parsed.reasons ?? [] }, until)
}

describe('ruleSentence', () => {
  it.each([
    {
      rule: {
        params: { amount: { at_most: '€50.00' }, to: { equals: 'shop@example.com' } },
        budget: { amount: '€100.00', per: 'month', uses: 10 },
      },
      sentence:
        'Approve without asking me: pay an invoice, for at most €50.00, to "shop@example.com". At most €100.00 a month and at most 10 times in all. Until 25 December 2026.',
    },
    {
      rule: { params: { amount: { equals: '€38.00' }, to: { domain: 'lake.example' }, note: { any: true } } },
      sentence:
        'Approve without asking me: pay an invoice, for exactly €38.00, to an address at lake.example or its subdomains, with any value for note. Until 25 December 2026.',
    },
    {
      rule: {
        params: { amount: { between: ['€5.00', '€9.00'] }, to: { one_of: ['a@x.example', 'b@x.example'] } },
      },
      sentence:
        'Approve without asking me: pay an invoice, for €5.00 to €9.00, to "a@x.example" or "b@x.example". Until 25 December 2026.',
    },
    {
      rule: {
        actions: ['book:table'],
        params: { at: { any: true }, guests: { at_most: 6 }, restaurant: { any: true } },
      },
      sentence:
        'Approve without asking me: book a table, when guests is at most 6, with any value for at and restaurant. Until 25 December 2026.',
    },
    {
      rule: { actions: ['read:calendar'], mode: 'watch' },
      sentence:
        'Still ask me, and note what this would approve: read a calendar, when the request has no details. Until 25 December 2026.',
    },
    {
      rule: { actions: ['delete:file'], answer: 'reject', params: { path: { path_below: '/srv' } } },
      sentence:
        'Reject without asking me: delete a file, when path is below the folder "/srv". Until 25 December 2026.',
    },
  ])('says $rule', ({ rule, sentence }) => {
    expect(sentenceOf(rule)).toBe(sentence)
  })

  it('says an amount without a currency, or text that only begins like one, in quotes behind "when"', () => {
    const params = { amount: { equals: '€5.00 and everything else' }, total: { at_most: 5 } }
    expect(sentenceOf({ params })).toContain(
      ': pay an invoice, when amount is "€5.00 and everything else" and total is at most 5.',
    )
  })

  it('says "to" as a recipient only after verbs that reach somebody', () => {
    const params = { to: { equals: 'Berlin' } }
    expect(sentenceOf({ actions: ['book:train'], params })).toContain(', when to is "Berlin".')
    expect(sentenceOf({ actions: ['pay:invoice', 'book:train'], params })).toContain(', when to is "Berlin".')
  })

  it('keeps values of the asker in quotes that they cannot leave', () => {
    const params = { to: { equals: 'a". Until 1 January 2099.\n\u202e' } }
    expect(sentenceOf({ params })).toContain('to "a\\". Until 1 January 2099.\\n\\u{202e}". Until 25')
  })

  it('names each param of a rule, in whatever constraint', () => {
    const constraints = [
      { equals: '€1.00' },
      { one_of: ['€1.00', 'x'] },
      { at_most: '€1.00' },
      { at_least: 3 },
      { between: [1, 2] },
      { domain: 'lake.example' },
      { path_below: '/srv' },
      { unchanged: { amount: 1 } },
      { any: true },
    ]
    for (const amount of constraints)
      for (const to of constraints) {
        const said = sentenceOf({ params: { amount, to, zone: { equals: 'a' } } })
        expect(said, said).toMatch(/, for |amount is |any value for amount/)
        expect(said, said).toMatch(/, to |\bto is |any value for (amount and )?to\b/)
        expect(said).toContain('zone is "a"')
      }
  })
})
