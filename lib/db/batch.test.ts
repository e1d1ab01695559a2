import { expect, it } from 'vitest'
import { aDuckling } from '@/lib/factories/ducklings'
import { readClock } from '@/lib/kernel/runtime/clock'
import { batched, countInWindows, endOfWindow } from './batch'
import { db, Prisma } from './client'

interface Row {
  id: string
}

/** A lookup of ids that start with `a`, and the keys of each of its statements. */
function aLookup() {
  const statements: string[][] = []
  const releases: (() => void)[] = []
  const find = batched<Row>(
    ({ id }) => id,
    async (keys) => {
      statements.push(keys)
      await new Promise<void>((release) => releases.push(release))
      if (keys.includes('broken')) throw new Error('broken')
      return keys.filter((key) => key.startsWith('a')).map((id) => ({ id }))
    },
  )
  const turn = () => new Promise((done) => setImmediate(done))
  const release = () => {
    for (const finish of releases.splice(0)) finish()
  }
  return { find, statements, turn, release }
}

it('reads simultaneous lookups with one statement, and each key once', async () => {
  const { find, statements, turn, release } = aLookup()
  const found = Promise.all(['a1', 'b1', 'a1', 'a2'].map(find))
  await turn()
  release()
  expect(await found).toEqual([{ id: 'a1' }, null, { id: 'a1' }, { id: 'a2' }])
  expect(statements).toEqual([['a1', 'b1', 'a2']])
})

it('does not answer a lookup with a statement that was sent before it', async () => {
  const { find, statements, turn, release } = aLookup()
  const first = find('a1')
  await turn()
  const second = find('a1')
  await turn()
  release()
  await Promise.all([first, second])
  expect(statements).toEqual([['a1'], ['a1']])
})

it('gathers lookups while two statements run', async () => {
  const { find, statements, turn, release } = aLookup()
  const found = ['a1', 'a2', 'a3', 'a4'].map(async (key, index) => {
    for (let turns = 0; turns <= index; turns++) await turn()
    return find(key)
  })
  for (let turns = 0; turns < 8; turns++) await turn()
  expect(statements).toEqual([['a1'], ['a2']])
  release()
  await turn()
  await turn()
  release()
  expect(await Promise.all(found)).toHaveLength(4)
  expect(statements).toEqual([['a1'], ['a2'], ['a3', 'a4']])
})

it('fails the lookups of a failed statement only', async () => {
  const { find, turn, release } = aLookup()
  const failed = Promise.allSettled([find('a1'), find('broken')])
  await turn()
  const next = find('a2')
  await turn()
  release()
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await next).toEqual({ id: 'a2' })
})

async function addSessions(ids: string[]): Promise<string> {
  const { id: ducklingId } = await aDuckling()
  const now = readClock()
  const row = { ducklingId, amr: ['otp'], authTime: now, createdAt: now, expiresAt: now }
  await db().session.createMany({ data: ids.map((id) => ({ ...row, id })) })
  return ducklingId
}

it('ends a window after the given number of rows, and at the end of the table', async () => {
  await addSessions(['SES-000A', 'SES-000B', 'SES-000C'])
  expect(await endOfWindow('Session', '', 2)).toBe('SES-000B')
  expect(await endOfWindow('Session', 'SES-000B', 1)).toBe('SES-000C')
  expect(await endOfWindow('Session', 'TES')).toBeNull()
})

it('counts each row once, for any size of the windows', async () => {
  const ids = Array.from({ length: 200 }, (_, n) => `SES-000W${String(n).padStart(3, '0')}`)
  const ducklingId = await addSessions(ids.filter((_, n) => n % 2 === 0))
  await addSessions(ids.filter((_, n) => n % 2 === 1))
  const own = Prisma.sql`"ducklingId" = ${ducklingId} AND "id" < 'SES-000X'`
  for (const rows of [60, 61, 97]) expect(await countInWindows('Session', own, rows)).toBe(100)
})
