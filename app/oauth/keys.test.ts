/** The rotation of the keys of ID tokens, on two instances of the service. */
import { createLocalJWKSet, decodeProtectedHeader, type JWK, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { db } from '@/lib/db/client'
import { deleteOAuthKey, rotateOAuthKeys } from '@/lib/domain/oauth/keys'
import { idTokenAlgs } from '@/lib/domain/oauth/site-schema'
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

describe.each(idTokenAlgs)('a new key of ID tokens with %s', (alg) => {
  const published = async (): Promise<string[]> =>
    (await doors.fetch('/oauth/jwks')).body.keys
      .filter((key: JWK) => key.alg === alg)
      .map(({ kid }: JWK) => kid)

  async function idToken(): Promise<string> {
    const person = await aDuckling()
    const site = await aSite(doors, person, { id_token_signed_response_alg: alg })
    return (await signedIn(doors, site, person)).idToken
  }

  async function signer(): Promise<string | undefined> {
    const { kid, alg: named } = decodeProtectedHeader(await idToken())
    expect(named).toBe(alg)
    return kid
  }

  beforeEach(async () => {
    await db().oAuthKey.deleteMany()
    for (const name of names) forget(name)
  })

  it('is published before it signs, on every instance, and the old one until its tokens have expired', async () => {
    const [first, second]: [Instance, Instance] = [new Map(), new Map()]
    const old = await on(first, signer)
    expect(await on(second, signer)).toBe(old)
    const made = await rotateOAuthKeys(readClock())
    expect(made).toHaveLength(2)
    const kid = made[idTokenAlgs.indexOf(alg)]
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
    expect(await db().oAuthKey.count({ where: { alg } })).toBe(2)
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
    expect(await db().oAuthKey.count({ where: { alg } })).toBe(1)
    // The key of the other algorithm is older and signs on.
    vi.useRealTimers()
    await db().run`
      UPDATE "OAuthKey" SET "createdAt" = now() - CASE WHEN "kid" = ${now} THEN interval '2 hours' ELSE interval '3 hours' END`
    await purge(readClock())
    expect(await db().oAuthKey.count()).toBe(2)
  })
})
