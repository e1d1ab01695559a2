import { expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { hour, readClock, secondsAfter } from '@/lib/kernel/clock'
import { deleteExpiredCeremonies, openCeremony, spendCeremony } from './ceremony'

it('can spend a challenge for five minutes, and deletes it afterwards', async () => {
  // In the past, so that the ceremonies of other tests are not deleted.
  const now = secondsAfter(readClock(), -hour)
  const ceremony = { purpose: 'login', ducklingId: null } as const
  const open = async () => Buffer.from(await openCeremony(db(), now, ceremony)).toString('base64url')
  const [spent, late, unused] = [await open(), await open(), await open()]
  expect(await spendCeremony(secondsAfter(now, 299), ceremony, spent)).toBe(true)
  expect(await spendCeremony(secondsAfter(now, 300), ceremony, late)).toBe(false)

  const isStored = async () => (await db().ceremony.findUnique({ where: { challenge: unused } })) !== null
  await deleteExpiredCeremonies(secondsAfter(now, 299))
  expect(await isStored()).toBe(true)
  await deleteExpiredCeremonies(secondsAfter(now, 300))
  expect(await isStored()).toBe(false)
})
