import { expect, it } from 'vitest'
import { withoutMarks } from '@/lib/kernel/text/kept-values'
import type { PresentedRule } from './reads'
import { shortRules, shortRulesWithLeft } from './short-words'

type Shown = Pick<PresentedRule, 'status' | 'rule'>

const rule = (change: object, status = 'on') =>
  ({
    status,
    rule: { actions: ['pay:invoice'], params: {}, answer: 'approve', mode: 'on', ...change },
  }) as Shown

const texts = (rules: Shown[], areAllPaused = false) => shortRules(rules, areAllPaused).map(withoutMarks)

const atShop = { amount: { at_most: '€50.00' }, to: { equals: 'shop@market.example' } }

it.each([
  [
    { params: atShop, budget: { amount: '€100.00', per: 'month' } },
    'pay an invoice to shop@market.example, up to €100.00 a month',
  ],
  [{ params: atShop }, 'pay an invoice to shop@market.example, up to €50.00 each time'],
  [{ actions: ['read:calendar'], params: { day: { any: true } } }, 'read a calendar'],
  [{ actions: ['read:file'], params: { path: { path_below: '/srv' } } }, 'read a file, with conditions'],
  [{ actions: ['book:train'], params: { to: { equals: 'Berlin' } } }, '“book train”, with conditions'],
  [{ actions: ['read:calendar'], budget: { uses_each: 3, per: 'day' } }, 'read a calendar, 3 a day'],
])('says the limits of a rule in few words, and that others exist: %j', (change, text) => {
  expect(texts([rule(change)])).toEqual([text])
})

it('names what allows something first, and says of every other rule that it allows nothing', () => {
  const rules = [
    rule({ actions: ['push:git'], answer: 'reject' }),
    rule({ actions: ['book:table'], mode: 'watch' }),
    rule({ actions: ['send:email'] }, 'paused'),
    rule({ actions: ['read:email'], answer: 'ask' }),
    rule({ actions: ['delete:file'], answer: 'reject' }, 'expired'),
    rule({ actions: ['read:calendar'] }),
  ]
  expect(texts(rules)).toEqual([
    'read a calendar',
    expect.stringMatching(/^Asks you: /),
    'Asks you: delete a file',
    'Rejects: “push git”',
    'Only watches: book a table',
    'Paused: send an email',
  ])
  expect(texts(rules, true).filter((text) => !text.startsWith('Paused: '))).toEqual([])
})

it('says how much is left of what a rule allows without asking, and nothing of it for a rule that is paused', () => {
  const paying = {
    ...rule({ budget: { amount: '€100.00', per: 'month' } }),
    left: { amount: '€3.00', uses: null, uses_each: null },
  }
  const { allows, others } = shortRulesWithLeft([paying], false)
  expect(allows.map(withoutMarks)).toEqual(['pay an invoice, up to €100.00 a month (€3.00 left)'])
  expect(others).toEqual([])
  const paused = shortRulesWithLeft([paying], true)
  expect(paused.allows).toEqual([])
  expect(paused.others.map(withoutMarks)).toEqual(['Paused: pay an invoice, up to €100.00 a month'])
})
