import { describe, expect, it } from 'vitest'
import { merge } from './merge'

const items = (...ids: string[]) => ids.map((id) => ({ id }))
const shownOf = (...ids: string[]) => items(...ids).map((item) => ({ item, isNew: false, isGone: false }))
const free = { isWhole: true, isBusy: false }
const idsOf = ({ shown }: ReturnType<typeof merge>) => shown.map(({ item }) => item.id)

describe('merge', () => {
  it('adds new requests at the top', () => {
    const result = merge(shownOf('2', '1'), items('3', '2', '1'), free)
    expect(idsOf(result)).toEqual(['3', '2', '1'])
    expect(result.shown.map(({ isNew }) => isNew)).toEqual([true, false, false])
  })

  it('holds new requests back and moves nothing while the viewer uses the list', () => {
    const result = merge(shownOf('2', '1'), items('3', '2', '1'), { isWhole: true, isBusy: true })
    expect(idsOf(result)).toEqual(['2', '1'])
    expect(result.held).toEqual(items('3'))
  })

  it('keeps a decided request in place and marks it', () => {
    const result = merge(shownOf('3', '2', '1'), items('3', '1'), free)
    expect(idsOf(result)).toEqual(['3', '2', '1'])
    expect(result.shown.map(({ isGone }) => isGone)).toEqual([false, true, false])
  })

  it('does not mark a request that new ones have moved to the next page', () => {
    const result = merge(shownOf('3', '2', '1'), items('4', '3', '2'), { isWhole: false, isBusy: false })
    expect(idsOf(result)).toEqual(['4', '3', '2', '1'])
    expect(result.shown.some(({ isGone }) => isGone)).toBe(false)
  })

  it('shows the latest version of a request', () => {
    const [first] = merge(
      [{ item: { id: '1', text: 'old' }, isNew: false, isGone: false }],
      [{ id: '1', text: 'new' }],
      free,
    ).shown
    expect(first?.item.text).toBe('new')
  })
})
