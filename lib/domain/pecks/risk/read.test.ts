import { riskOf } from '@beak/decision/risk/rules'
import { describe, expect, it } from 'vitest'
import { riskText, storedRisk } from './read'

const peck = { action: 'run:script', scope: 'limited', params: '{}' } as const
const asked = {
  action: 'add:event',
  scope: 'limited',
  params: { force: true, amount: '€40' },
  history: null,
} as const

describe('storedRisk', () => {
  it('returns each reason in English and as data', () => {
    const stored = storedRisk({ ...peck, riskLevel: 'high', riskReasons: riskText(riskOf(asked)) })
    expect(stored.reasons.slice(1)).toEqual([
      {
        rule: 'money',
        level: 'medium',
        text: 'It involves €40.00.',
        wording: { sentence: 'involves_amount', values: { amount: { amount: 40, currency: 'EUR' } } },
      },
    ])
  })

  it('returns the English text of an older row as it stands', () => {
    const reason = { rule: 'command', level: 'high', text: 'It runs a command: “curl”.' }
    const row = { ...peck, riskLevel: 'high', riskReasons: JSON.stringify([reason]) } as const
    expect(storedRisk(row)).toEqual({ level: 'high', reasons: [reason], novelty: [] })
  })

  it('keeps the wording of each reason when an older version beside it replaces another one', () => {
    const [first, ...others] = JSON.parse(riskText(riskOf(asked))) as { text: string }[]
    const named = { rule: 'same_name', level: 'high', text: 'Not you: same name, other person.' }
    const row = {
      ...peck,
      riskLevel: 'high',
      riskReasons: JSON.stringify([named, first, ...others]),
    } as const
    expect(storedRisk(row).reasons.map(({ wording }) => wording?.sentence)).toEqual([
      undefined,
      'detail_skips_check',
      'involves_amount',
    ])
  })
})
