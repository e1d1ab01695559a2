import { describe, expect, it } from 'vitest'
import { firstLines, groupRows, neighbourOf, rangeOf } from './groups'

const rows = (...texts: string[]) =>
  texts.map(
    (text) =>
      ({
        id: text,
        asker: text.charAt(0),
        risk: text.endsWith('9') ? 'high' : 'low',
        isKnown: !text.startsWith('s'),
      }) as const,
  )
const known = (...keys: string[]) => keys.map((key) => ({ key, isStranger: false }))
const shape = (groups: ReturnType<typeof groupRows>) =>
  groups.map(({ key, rows: found }) => `${key}: ${found.map(({ id }) => id).join(' ')}`)

describe('groupRows', () => {
  it('groups by asker, in the order of the newest request of each', () => {
    expect(shape(groupRows(rows('b3', 'a2', 'b1'), '', []))).toEqual(['b: b3 b1', 'a: a2'])
  })

  it('keeps the groups that are shown in place, and puts new groups before them', () => {
    expect(shape(groupRows(rows('c9', 'a8', 'b3', 'a2'), '', known('b', 'a')))).toEqual([
      'c: c9',
      'b: b3',
      'a: a8 a2',
    ])
  })

  it('puts strangers after all others, also new ones, unless the list mixes askers', () => {
    expect(shape(groupRows(rows('s9', 'b3', 'a2'), '', []))).toEqual(['b: b3', 'a: a2', 's: s9'])
    expect(shape(groupRows(rows('s9', 'b3'), '', known('b')))).toEqual(['b: b3', 's: s9'])
    expect(shape(groupRows(rows('s9', 'b8'), 'risk', []))).toEqual(['high: s9', 'low: b8'])
  })

  it('keeps a stranger in place who is known by now', () => {
    const accepted = rows('s9', 'b3').map((row) => ({ ...row, isKnown: true }))
    const groups = groupRows(accepted, '', [...known('b'), { key: 's', isStranger: true }])
    expect(groups.map(({ key, isStranger }) => [key, isStranger])).toEqual([
      ['b', false],
      ['s', true],
    ])
  })

  it('leaves out groups without rows', () => {
    expect(shape(groupRows(rows('a1'), '', known('b', 'a')))).toEqual(['a: a1'])
  })
})

describe('firstLines', () => {
  const groups = groupRows(rows('a5', 'a4', 'b3', 'b2', 'c1'), '', [])
  const firstOf = (max: number) =>
    firstLines(groups, max).map(
      ({ group, rows: found }) => `${group.key}: ${found.map(({ id }) => id).join(' ')}`,
    )

  it('cuts the last group, and leaves out groups that have no line left for a row', () => {
    expect(firstOf(5)).toEqual(['a: a5 a4', 'b: b3'])
    expect(firstOf(4)).toEqual(['a: a5 a4'])
    expect(firstOf(3)).toEqual(['a: a5 a4'])
  })

  it('returns all rows of a short list', () => {
    expect(firstOf(8)).toEqual(['a: a5 a4', 'b: b3 b2', 'c: c1'])
  })

  it('keeps the whole group beside its first rows', () => {
    expect(firstLines(groups, 2)[0]?.group.rows).toHaveLength(2)
  })
})

describe('groupRows of a sorted list', () => {
  it('groups by risk, whoever asks, in the given order', () => {
    expect(shape(groupRows(rows('b9', 'a9', 'b3', 'a1'), 'risk', known('low')))).toEqual([
      'high: b9 a9',
      'low: b3 a1',
    ])
  })

  it('keeps the order of the time left in one group', () => {
    expect(shape(groupRows(rows('b3', 'a9', 'b1'), 'expiry', []))).toEqual(['expiry: b3 a9 b1'])
  })
})

describe('neighbourOf', () => {
  const ids = ['a', 'b', 'c']
  it.each([
    ['a', 1, 'b'],
    ['c', 1, null],
    ['a', -1, null],
    [null, 1, 'a'],
    [null, -1, 'c'],
    ['gone', 1, 'a'],
  ] as const)('returns, from %s in steps of %i, %s', (id, step, expected) => {
    expect(neighbourOf(ids, id, step, new Set(ids))).toBe(expected)
  })

  it('skips rows that are not open', () => {
    expect(neighbourOf(ids, 'a', 1, new Set(['a', 'c']))).toBe('c')
  })
})

describe('rangeOf', () => {
  it('returns all rows between two rows, in both directions', () => {
    expect(rangeOf(['a', 'b', 'c', 'd'], 'b', 'd')).toEqual(['b', 'c', 'd'])
    expect(rangeOf(['a', 'b', 'c', 'd'], 'c', 'a')).toEqual(['a', 'b', 'c'])
    expect(rangeOf(['a', 'b'], 'gone', 'b')).toEqual(['b'])
  })
})
