import { afterEach, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { appendNow, newestCheckpoint, pendingEntries } from '@/lib/fixtures/tlog'
import { aWitness } from '@/lib/fixtures/witnesses'
import { logKey } from '@/lib/infrastructure/keys/log-keys'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { cosign } from './cosign'
import { logOrigin, logVerifierKey, logVerifierKeys } from './origin'

const before = config()
afterEach(async () => {
  replaceConfig(before)
  await db().logName.deleteMany()
})

const signed = async () => {
  await pendingEntries(1)
  return appendNow()
}

describe('the name of the log', () => {
  it('stays when BASE_URL changes, and so do its witnesses', async () => {
    replaceConfig({ baseUrl: 'https://pond.example' })
    await signed()
    const origin = 'pond.example/.well-known/tlog'
    const { x } = await logKey(readClock())
    const running = await aWitness({ logs: [logVerifierKey(origin, x)], name: 'witness.example/w' })
    const now = readClock()
    await cosign(running, now)
    replaceConfig({ baseUrl: 'https://lake.example/prod' })
    const { size } = await signed()
    expect(await logOrigin()).toBe(origin)
    await cosign(running, secondsAfter(now, 1))
    expect(await newestCheckpoint()).toMatchObject({ origin, size, cosignatures: 1 })
    expect(await db().logName.findMany()).toMatchObject([{ number: 1, origin, continues: null }])
  })

  it('follows the address while the address is local', async () => {
    for (const host of ['localhost:4000', '127.0.0.1:4001', '[::1]:4002', 'pond.localhost']) {
      replaceConfig({ baseUrl: `http://${host}` })
      expect((await signed()).note).toMatch(`${host}/.well-known/tlog\n`)
    }
    expect(await db().logName.count()).toBe(0)
  })

  it('of a public log is not used at a local address, and the other way round', async () => {
    const createdAt = readClock()
    await db().logName.createMany({
      data: [
        { number: 1, origin: 'pond.example/.well-known/tlog', createdAt },
        { number: 2, origin: 'localhost:4000/.well-known/tlog/2', createdAt },
      ],
    })
    const nameAt = (baseUrl: string) => {
      replaceConfig({ baseUrl })
      return logOrigin()
    }
    expect(await nameAt('http://localhost:4000')).toBe('localhost:4000/.well-known/tlog/2')
    expect(await nameAt('http://localhost:4001')).toBe('localhost:4001/.well-known/tlog')
    expect(await nameAt('https://lake.example')).toBe('pond.example/.well-known/tlog')
  })

  it('is stored once by simultaneous writers', async () => {
    replaceConfig({ baseUrl: 'https://river.example' })
    await pendingEntries(1)
    await Promise.all(Array.from({ length: 10 }, () => appendNow()))
    expect(await db().logName.count()).toBe(1)
  })
})

describe('logVerifierKeys', () => {
  it('returns the keys of the present name first, then those of older names', async () => {
    replaceConfig({ baseUrl: 'https://pond.example' })
    const createdAt = readClock()
    const names = ['pond.example/.well-known/tlog', 'pond.example/.well-known/tlog/2']
    await db().logName.createMany({
      data: names.map((origin, place) => ({ number: place + 1, origin, createdAt })),
    })
    const listed = (await logVerifierKeys()).map((vkey) => vkey.split('+')[0])
    expect([...new Set(listed)]).toEqual(names.toReversed())
  })
})
