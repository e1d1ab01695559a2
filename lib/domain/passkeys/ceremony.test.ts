import { expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { hour, readClock, secondsAfter } from '@/lib/kernel/clock'
import { dropExpiredCeremonies, openCeremony, spendCeremony } from './ceremony'

it('lives five minutes to the second, and is dropped when nobody finished it', async () => {
  // Long ago, so that nobody else's ceremonies are dropped.
  const now = secondsAfter(readClock(), -hour)
  const ceremony = { purpose: 'login', ducklingId: null } as const
  const open = async () => Buffer.from(await openCeremony(db(), now, ceremony)).toString('base64url')
  const [spent, late, forgotten] = [await open(), await open(), await open()]
  expect(await spendCeremony(secondsAfter(now, 299), ceremony, spent)).toBe(true)
  expect(await spendCeremony(secondsAfter(now, 300), ceremony, late)).toBe(false)

  const isKept = async () => (await db().ceremony.findUnique({ where: { challenge: forgotten } })) !== null
  await dropExpiredCeremonies(secondsAfter(now, 299))
  expect(await isKept()).toBe(true)
  await dropExpiredCeremonies(secondsAfter(now, 300))
  expect(await isKept()).toBe(false)
})
