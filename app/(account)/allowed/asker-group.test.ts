import { expect, it } from 'vitest'
import type { ShownPeck } from '../pecks/_peck/reads'
import { extentWords, groupByAsker } from './asker-group'

it.each([
  [0, 1, 'For one use.'],
  [4, 5, '1 use left.'],
  [2, 5, '3 uses left.'],
  [7, null, 'Any number of uses.'],
])('says how often a permission can still be used: %i of %j', (uses, max_uses, words) => {
  expect(extentWords({ uses, max_uses })).toBe(words)
})

const permission = (peck_id: string, requester: object) => ({ peck: { peck_id, requester } }) as ShownPeck

it('groups by agent, and a person apart from their agents, in the order of the newest permission', () => {
  const person = { duckling_id: 'DUCK-1' }
  const [one, two] = ['AGT-1', 'AGT-2'].map((agent_id) => ({ ...person, agent_id }))
  const items = [
    permission('4', two ?? {}),
    permission('3', one ?? {}),
    permission('2', person),
    permission('1', two ?? {}),
  ]
  expect(
    groupByAsker(items).map(({ asker, items: of }) => [asker, of.map(({ peck }) => peck.peck_id)]),
  ).toEqual([
    ['AGT-2', ['4', '1']],
    ['AGT-1', ['3']],
    ['DUCK-1', ['2']],
  ])
})
