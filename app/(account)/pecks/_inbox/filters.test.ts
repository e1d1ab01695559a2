import { describe, expect, it } from 'vitest'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import { filterChoices, filtersIn, hasFilters, inboxPath, withoutFilters } from './filters'

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

describe('filterChoices', () => {
  it('names the most frequent values, and the chosen one', () => {
    const askers = Array.from({ length: 200 }, (_, at) => ({ value: `A${at}`, label: `A${at}`, count: 1 }))
    const inbox = { askers, actions: [], risks: [] } as unknown as Parameters<typeof filterChoices>[0]
    const [choice] = filterChoices(inbox, { ...none, asker: 'A150' }, actionLabel)
    expect(choice?.options).toHaveLength(51)
    expect(choice?.options.at(-1)).toEqual({ value: 'A150', label: 'A150 (1)' })
  })

  it('says the actions in words, and quotes one that the service has no words for', () => {
    const actions = ['pay:invoice', 'push:git'].map((value) => ({ value, label: value, count: 8 }))
    const inbox = { askers: [], actions, risks: [] } as unknown as Parameters<typeof filterChoices>[0]
    const choices = filterChoices(inbox, none, actionLabel).find(({ name }) => name === 'action')
    expect(choices?.options.map(({ label }) => label)).toEqual(['Pay an invoice (8)', '“push git” (8)'])
  })
})

describe('inboxPath', () => {
  it('has only filters that are used, then the view and the selected request', () => {
    expect(inboxPath(none)).toBe('/pecks')
    expect(inboxPath({ ...none, q: 'a b' }, { peck: 'PECK-1' })).toBe('/pecks?q=a+b&peck=PECK-1')
  })
})
