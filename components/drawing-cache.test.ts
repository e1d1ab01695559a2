import { describe, expect, it } from 'vitest'
import { cachedDrawing } from './drawing-cache'

describe('cachedDrawing', () => {
  it('draws a key once while it is in use, and again after 100 other keys', () => {
    let drawn = 0
    const draw = () => `drawing ${++drawn}`
    expect([cachedDrawing('kept', draw), cachedDrawing('kept', draw)]).toEqual(['drawing 1', 'drawing 1'])
    for (let n = 0; n < 99; n++) cachedDrawing(`other ${n}`, () => '')
    expect(cachedDrawing('kept', draw)).toBe('drawing 1')
    for (let n = 0; n < 100; n++) cachedDrawing(`another ${n}`, () => '')
    expect(cachedDrawing('kept', draw)).toBe('drawing 2')
  })
})
