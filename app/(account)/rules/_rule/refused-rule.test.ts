import { describe, expect, it } from 'vitest'
import { withoutMarks } from '@/lib/kernel/text/kept-values'
import type { PresentedRule } from './reads'
import { narrowerRules } from './refused-rule'

const rule = (left: string, uses: number) =>
  ({
    rule: { mode: 'watch', budget: { amount: '€100.00', per: 'month', uses: 20 } },
    expires_at: '2000-01-01T00:00:00.000Z',
    left: { amount: left, uses: 20 - uses, uses_each: null },
    used: { uses },
  }) as unknown as PresentedRule
const labels = (presented: PresentedRule) => narrowerRules(presented).map(({ label }) => withoutMarks(label))

describe('narrowerRules', () => {
  it('halves what is allowed', () => {
    expect(labels(rule('€50.01', 9))).toEqual(['At most €50.00 a month', 'At most 10 times in all'])
  })

  it('leaves out a limit that is used up already', () => {
    expect(labels(rule('€50.00', 9))).toEqual(['At most 10 times in all'])
    expect(labels(rule('€100.00', 10))).toEqual(['At most €50.00 a month'])
  })
})
