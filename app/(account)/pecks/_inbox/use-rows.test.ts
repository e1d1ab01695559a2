import { describe, expect, it } from 'vitest'
import { merge, takePlaces } from './use-rows'

const items = (...ids: string[]) => ids.map((id) => ({ id }))
const listOf = (...ids: string[]) => ({
  shown: items(...ids).map((item) => ({ item, isGone: false })),
  buffered: [],
})
const free = { isWhole: true, isBusy: false }
const busy = { isWhole: true, isBusy: true }
const idsOf = ({ shown }: ReturnType<typeof merge>) => shown.map(({ item }) => item.id)

describe('merge', () => {
  it('adds new requests at the top', () => {
    const result = merge(listOf('2', '1'), items('3', '2', '1'), free)
    expect(idsOf(result)).toEqual(['3', '2', '1'])
    expect(result.news).toEqual(items('3'))
  })

  it('holds new requests back and moves nothing while the viewer uses the list', () => {
    const result = merge(listOf('2', '1'), items('3', '2', '1'), busy)
    expect(idsOf(result)).toEqual(['2', '1'])
    expect(result.buffered).toEqual(items('3'))
    expect(result.news).toEqual(items('3'))
  })

  it('announces a request that is held back only once', () => {
    const buffered = merge(listOf('1'), items('2', '1'), busy)
    expect(merge(buffered, items('3', '2', '1'), busy).news).toEqual(items('3'))
    expect(merge(buffered, items('2', '1'), free).news).toEqual([])
  })

  it('does not announce older requests that move up when newer ones are decided', () => {
    const result = merge(listOf('4', '3'), items('3', '2'), { isWhole: false, isBusy: false })
    expect(idsOf(result)).toEqual(['4', '3', '2'])
    expect(result.news).toEqual([])
  })

  it('keeps a decided request in place and marks it', () => {
    const result = merge(listOf('3', '2', '1'), items('3', '1'), free)
    expect(idsOf(result)).toEqual(['3', '2', '1'])
    expect(result.shown.map(({ isGone }) => isGone)).toEqual([false, true, false])
  })

  it('shows requests in the order of the server, and keeps a decided one before the row that followed it', () => {
    const result = merge(listOf('2', '9', '1', '4'), items('7', '2', '4'), free)
    expect(idsOf(result)).toEqual(['7', '2', '9', '1', '4'])
  })

  it('does not mark a request that new ones have moved out of the list', () => {
    const result = merge(listOf('1', '3', '2'), items('4', '1', '3'), { isWhole: false, isBusy: false })
    expect(idsOf(result)).toEqual(['4', '1', '3', '2'])
    expect(result.shown.some(({ isGone }) => isGone)).toBe(false)
  })

  it('shows the latest version of a request', () => {
    const first = { shown: [{ item: { id: '1', text: 'old' }, isGone: false }], buffered: [] }
    expect(merge(first, [{ id: '1', text: 'new' }], free).shown[0]?.item.text).toBe('new')
  })
})

describe('takePlaces', () => {
  const gone = (id: string) => ({ item: { id }, isGone: true })
  const by = new Map([['2', '9']])

  it('puts a request into the row of an undone approval, before the service has sent the request', () => {
    const { shown } = listOf('3', '1')
    const taken = takePlaces({ shown: [...shown, gone('2')], buffered: [] }, by, [])
    expect(taken.shown.at(-1)).toEqual({ item: { id: '9' }, isGone: false })
  })

  it('moves a request that has arrived elsewhere, or is held back, into the row', () => {
    const arrived = { shown: [...listOf('9', '3').shown, gone('2'), ...listOf('1').shown], buffered: [] }
    expect(idsOf({ ...takePlaces(arrived, by, []), news: [] })).toEqual(['3', '9', '1'])
    const buffered = { shown: [...listOf('3').shown, gone('2')], buffered: items('9', '8') }
    expect(takePlaces(buffered, by, []).buffered).toEqual(items('8'))
  })

  it('leaves a request where it is when the row is no longer shown', () => {
    expect(idsOf({ ...takePlaces(listOf('9', '1'), by, []), news: [] })).toEqual(['9', '1'])
  })

  it('shows what the service has sent, and is no news to the next list', () => {
    const taken = takePlaces({ shown: [gone('2'), ...listOf('1').shown], buffered: [] }, by, items('9', '1'))
    expect(merge(taken, items('9', '1'), free)).toMatchObject({ news: [], buffered: [] })
  })
})
