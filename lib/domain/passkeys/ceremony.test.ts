import { afterEach, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { config, useConfig } from '@/lib/kernel/config'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { deleteExpiredCeremonies, openCeremony, relyingParty, spendCeremony } from './ceremony'

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

describe('relying party', () => {
  const { baseUrl } = config()
  afterEach(() => useConfig({ baseUrl }))

  it('has neither port nor path in its id, and no path in its origin', () => {
    useConfig({ baseUrl: 'https://beak.example:8443/prod' })
    expect(relyingParty()).toMatchObject({ id: 'beak.example', origin: 'https://beak.example:8443' })
  })
})
