import { describe, expect, it } from 'vitest'
import { filtersIn, hasFilters, inboxPath, withoutFilters } from './filters'

const none = filtersIn({})

describe('filtersIn', () => {
  it('reads the filters of an address and ignores everything else', () => {
    const filters = filtersIn({ q: ' shop ', risk: 'high', peck: 'PECK-1', view: 'list' })
    expect(filters).toEqual({ asker: '', action: '', risk: 'high', age: '', q: 'shop', list: '', sort: '' })
    expect([hasFilters(filters), hasFilters(none)]).toEqual([true, false])
  })
})

describe('withoutFilters', () => {
  it('keeps the second list and the order, which are no filters', () => {
    const place = { ...none, list: 'strangers', sort: 'risk' }
    expect(withoutFilters({ ...place, q: 'shop', risk: 'high' })).toEqual(place)
    expect(hasFilters(place)).toBe(false)
  })
})

describe('inboxPath', () => {
  it('has only filters that are used, then the view and the selected request', () => {
    expect(inboxPath(none)).toBe('/pecks')
    expect(inboxPath({ ...none, q: 'a b' }, { peck: 'PECK-1', isList: true })).toBe(
      '/pecks?q=a+b&view=list&peck=PECK-1',
    )
  })
})
