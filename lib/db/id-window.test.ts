import { expect, it } from 'vitest'
import { aDuckling } from '@/lib/factories/ducklings'
import { readClock } from '@/lib/kernel/clock'
import { db, Prisma } from './client'
import { countInWindows, endOfWindow } from './id-window'

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
