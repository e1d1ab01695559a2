import { describe, expect, it } from 'vitest'
import { allCapabilities } from '@/lib/factories/agents'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { defaultCapabilities, dependentWords, knownCapabilities } from './words'

describe('capabilities', () => {
  it('include every capability that gives access to an endpoint', () => {
    expect(knownCapabilities.map(({ value }) => value).sort()).toEqual(allCapabilities.toSorted())
    expect(allCapabilities).toEqual(expect.arrayContaining(defaultCapabilities))
  })
})

describe('the list of what ends with an agent', () => {
  it('counts each kind in words and leaves out kinds with a count of 0', () => {
    const words = dependentWords({ pending_pecks: 2, active_grants: 1, sso_tokens: 0, rules: 0 })
    expect(listWithAnd(['its key', ...words])).toBe('its key, 2 waiting requests and 1 active permission')
    expect(dependentWords({ pending_pecks: 0, active_grants: 0, sso_tokens: 0, rules: 0 })).toEqual([])
  })
})
