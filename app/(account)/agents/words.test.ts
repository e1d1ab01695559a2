import { describe, expect, it } from 'vitest'
import { allCapabilities } from '@/lib/fixtures/agents'
import { listWithAnd } from '@/lib/kernel/list-words'
import { knownCapabilities, restingWords, usualCapabilities } from './words'

describe('capabilities', () => {
  it('are offered, each one that opens an endpoint', () => {
    expect(knownCapabilities.map(({ value }) => value).sort()).toEqual(allCapabilities.toSorted())
    expect(allCapabilities).toEqual(expect.arrayContaining(usualCapabilities))
  })
})

describe('what rests on an agent', () => {
  it('is said in words, without what there is none of', () => {
    const words = restingWords({ pecks: 2, grants: 1, ssoTokens: 0 })
    expect(listWithAnd(['its key', ...words])).toBe('its key, 2 waiting pecks and 1 live permission')
    expect(restingWords({ pecks: 0, grants: 0, ssoTokens: 0 })).toEqual([])
  })
})
