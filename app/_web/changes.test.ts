import { describe, expect, it } from 'vitest'
import { answeredValue, unanswered } from './changes'

const [early, late] = [{ at: '2026-11-28T13:09:00.000Z' }, { at: '2026-11-28T13:10:00.000Z' }]

describe('unanswered', () => {
  it('leaves out what was answered in this browser, and asks about what came later', () => {
    expect(unanswered([late, early], 'DUCK-1', answeredValue('DUCK-1', early.at))).toEqual([late])
    expect(unanswered([late, early], 'DUCK-1', answeredValue('DUCK-1', late.at))).toEqual([])
  })

  it('asks in a browser that has answered nothing, or for another account, or has a broken cookie', () => {
    for (const answered of [undefined, answeredValue('DUCK-2', late.at), '', 'DUCK-1'])
      expect(unanswered([late, early], 'DUCK-1', answered)).toHaveLength(2)
  })
})
