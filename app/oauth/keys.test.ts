/** The rotation of the keys of ID tokens, on two instances of the service. */
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { db } from '@/lib/db/client'
import { deleteOAuthKey, rotateOAuthKey } from '@/lib/domain/oauth/keys'
import { purge } from '@/lib/domain/retention/purge'
import { aDuckling } from '@/lib/factories/ducklings'
import type { Doors } from '@/lib/fixtures/programs'
import { aSite, signedIn } from '@/lib/fixtures/sites'
import { minute, readClock } from '@/lib/kernel/runtime/clock'
import { forget, singleton } from '@/lib/kernel/runtime/singleton'
import { openOwnDoors } from './open-doors'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())
afterEach(() => void vi.useRealTimers())

/** What an instance keeps in its memory. */
const names = ['oauth.server', 'cached.oauth.keys']
type Instance = Map<string, unknown>

/** Runs `work` with the memory of an instance. */
async function on<T>(instance: Instance, work: () => Promise<T>): Promise<T> {
  for (const name of names) {
    forget(name)
    if (instance.has(name)) singleton(name, () => instance.get(name))
  }
  const result = await work()
  for (const name of names)
    instance.set(
      name,
      singleton(name, () => undefined),
    )
  return result
}

const published = async (): Promise<string[]> =>
  (await doors.fetch('/oauth/jwks')).body.keys.map(({ kid }: { kid: string }) => kid)

async function idToken(): Promise<string> {
  const person = await aDuckling()
  return (await signedIn(doors, await aSite(doors, person), person)).idToken
}

const signer = async () => decodeProtectedHeader(await idToken()).kid

describe('a new key of ID tokens', () => {
  it('is published before it signs, on every instance, and the old one until its tokens have expired', async () => {
    const [first, second]: [Instance, Instance] = [new Map(), new Map()]
    const old = await on(first, signer)
    expect(await on(second, signer)).toBe(old)
    const kid = await rotateOAuthKey(readClock())
    const pass = (seconds: number) =>
      void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
    pass(minute + 1)
    for (const instance of [first, second]) {
      expect(await on(instance, published)).toEqual([old, kid])
      expect(await on(instance, signer)).toBe(old)
    }
    const last = await on(first, idToken)
    pass(minute)
    for (const instance of [first, second]) {
      expect(await on(instance, published)).toEqual([kid, old])
      expect(await on(instance, signer)).toBe(kid)
    }
    pass(13 * minute)
    const { body } = await on(second, () => doors.fetch('/oauth/jwks'))
    const options = { currentDate: readClock() }
    expect((await jwtVerify(last, createLocalJWKSet(body), options)).protectedHeader.kid).toBe(old)
    vi.useRealTimers()
    await purge(readClock())
    expect(await db().oAuthKey.count()).toBe(2)
    await db().run`UPDATE "OAuthKey" SET "createdAt" = "createdAt" - interval '61 minutes'`
    await purge(readClock())
    pass(4 * minute)
    expect(await on(first, published)).toEqual([kid])
  })

  it('takes the place of a stolen one within a minute', async () => {
    const instance: Instance = new Map()
    const stolen = (await on(instance, signer)) ?? ''
    expect(await deleteOAuthKey(stolen)).toBe(true)
    expect(await deleteOAuthKey(stolen)).toBe(false)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (minute + 1) * 1000 })
    const now = await on(instance, signer)
    expect(now).not.toBe(stolen)
    expect(await on(instance, published)).toEqual([now])
    expect(await db().oAuthKey.count()).toBe(1)
  })
})
