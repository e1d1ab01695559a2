import { checkReceipt } from '@beak/proofs/receipts/verify'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { key, makeReceipt, statementOf, valuesOf } from '@/lib/fixtures/receipt-maker'
import { ruleParts } from '@/lib/fixtures/rule-maker'
import { OutcomeDocument } from './outcome-document'

async function documentOf(parts: Parameters<typeof makeReceipt>[0]): Promise<string> {
  const verdict = await checkReceipt(makeReceipt(parts), { keys: [key.jwk] })
  if (!verdict.ok || verdict.facts.version === 1) throw new Error(JSON.stringify(verdict))
  return renderToStaticMarkup(createElement(OutcomeDocument, { facts: verdict.facts }))
}

describe('the document of a receipt', () => {
  it('shows the rule that answered, its budget and who signed it', async () => {
    const page = await documentOf(await ruleParts())
    for (const text of [
      'Answered by a rule that this person signed',
      'Approve without asking me: pay an invoice, when amount is at most €5,000.00.',
      'A passkey signed the rule, and not this request.',
      'The request lies within the rule.',
      'Spent €5,800.50 of €10,000.00 in 2026-09.',
    ])
      expect(page).toContain(text)
    expect(page).not.toContain('has no signature of a passkey')
  })

  it('says that the rule is left out, and that values are hidden', async () => {
    const { rule: _, ...parts } = await ruleParts()
    const page = await documentOf({ ...parts, rule: null, values: null })
    expect(page).toContain('Answered by a rule, which this receipt leaves out')
    expect(await documentOf(await ruleParts({ disclosed: 1 }))).toContain('It hides values')
  })

  it('says once that no passkey signed', async () => {
    const page = await documentOf({})
    expect(page.match(/passkey/g)).toHaveLength(1)
  })

  it('shows the names of params as words, and says whose they are', async () => {
    const params = { amount_cents: 1200, dueDate: '2026-12-24' }
    const page = await documentOf({ statement: statementOf({}, params), values: valuesOf(params) })
    for (const words of ['Amount cents', 'Due date', 'The requester chose the names'])
      expect(page).toContain(words)
    expect(page).not.toMatch(/amount_cents|dueDate/)
  })

  it('says of the answer to a favour neither how often nor how long it may be used', async () => {
    const words = ['>once<', 'Valid until']
    const permission = await documentOf({})
    for (const text of words) expect(permission).toContain(text)
    const params = { favour: 'help me' }
    const statement = statementOf({ action: 'ask:favour' }, params)
    const answer = await documentOf({ statement, values: valuesOf(params) })
    for (const text of words) expect(answer).not.toContain(text)
  })

  it('shows hidden characters in the sentence of a rule', async () => {
    const page = await documentOf(await ruleParts({ signed: { sentence: 'pay\u202e 100' } }))
    expect(page).not.toContain('\u202e')
  })
})
