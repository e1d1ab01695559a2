import { expect, it } from 'vitest'
import { peckReader } from './streams'

it('finds the id of each peck, even when a piece ends within a line', () => {
  const found: string[] = []
  const read = peckReader((id) => found.push(id))
  read('event: ready\ndata: {}\n\nevent: peck\nid: PECK-1\ndata: {"id": 1}\n\nevent: peck\nid: PE')
  read('CK-2\ndata: {}\n\n: still here\n\n')
  expect(found).toEqual(['PECK-1', 'PECK-2'])
})
