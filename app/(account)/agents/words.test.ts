import { describe, expect, it } from 'vitest'
import { allCapabilities } from '@/lib/fixtures/agents'
import { listWithAnd } from '@/lib/kernel/list-words'
import { dependentWords, knownCapabilities, usualCapabilities } from './words'

describe('capabilities', () => {
  it('are offered, each one that opens an endpoint', () => {
    expect(knownCapabilities.map(({ value }) => value).sort()).toEqual(allCapabilities.toSorted())
    expect(allCapabilities).toEqual(expect.arrayContaining(usualCapabilities))
  })
})

describe('what rests on an agent', () => {
  it('is said in words, without what there is none of', () => {
    const words = dependentWords({ pending_pecks: 2, active_grants: 1, sso_tokens: 0 })
    expect(listWithAnd(['its key', ...words])).toBe('its key, 2 waiting pecks and 1 active permission')
    expect(dependentWords({ pending_pecks: 0, active_grants: 0, sso_tokens: 0 })).toEqual([])
  })
})
