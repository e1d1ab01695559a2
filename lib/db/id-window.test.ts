import { expect, it } from 'vitest'
import { aDuckling } from '@/lib/fixtures/ducklings'
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

it('ends a window after so many rows, and at the end of the table', async () => {
  await addSessions(['SES-000A', 'SES-000B', 'SES-000C'])
  expect(await endOfWindow('Session', '', 2)).toBe('SES-000B')
  expect(await endOfWindow('Session', 'SES-000B', 1)).toBe('SES-000C')
  expect(await endOfWindow('Session', 'TES')).toBeNull()
})

it('counts the rows of every window once, also behind windows without any', async () => {
  const ducklingId = await addSessions(['SES-000D', 'SES-000H', 'SES-000I', 'SES-000J', 'SES-000K'])
  await addSessions(['SES-000E', 'SES-000F', 'SES-000G'])
  const condition = Prisma.sql`"ducklingId" = ${ducklingId} AND "id" < 'SES-000Z'`
  for (const rows of [1, 2, 3, 100]) expect(await countInWindows('Session', condition, rows)).toBe(5)
})
