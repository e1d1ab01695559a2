import { expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, aHandle } from '@/lib/factories/ducklings'
import { holderOf, maySee } from './holder'

/** Returns which indexes the database reads to find the holder of a handle, and how often. */
async function workFor({ id }: ADuckling, handle: string): Promise<string[]> {
  const viewer = { type: 'duckling', id, sessionId: 's', tier: 'T1' } as Parameters<typeof maySee>[0]
  const plan = await db().rows<Record<string, string>>`
    EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, COSTS OFF, BUFFERS OFF) SELECT d."id" FROM ${holderOf(handle)} WHERE ${maySee(viewer)}`
  return plan
    .flatMap((row) => Object.values(row))
    .filter((line) => line.includes(' on "') && !line.includes('on "Duckling"'))
    .map((line) => line.replace(/.* on (\S+) .*?(loops=\d+|never executed).*/, '$1 $2'))
}

// security: stranger-25
it('does the same work for a handle that the caller may not see and for one that nobody has', async () => {
  const [owner, stranger] = [await aDuckling(), await aDuckling()]
  const handle = aHandle()
  await db().duckling.update({ where: { id: owner.id }, data: { handle, listed: false } })
  for (const _ of [1, 2, 3]) await anAgent(stranger)
  const hidden = await workFor(stranger, handle)
  expect(hidden).toContainEqual(expect.stringMatching(/AskerHistory.*loops=4/))
  expect(await workFor(stranger, aHandle())).toEqual(hidden)
})
