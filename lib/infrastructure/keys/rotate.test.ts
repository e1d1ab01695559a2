import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { issueCertificate } from '@/lib/domain/certs/issue'
import { authenticateSession } from '@/lib/domain/sessions/authenticate'
import { startSession } from '@/lib/domain/sessions/start'
import { aDuckling } from '@/lib/factories/ducklings'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { RetirementRefused, retireKey, rotateKeys } from './rotate'
import { signToken } from './tokens'

const kidOf = (token: string) => decodeProtectedHeader(token).kid

async function publishedKids(): Promise<string[]> {
  const { body } = await call('GET /.well-known/jwks.json')
  return body.keys.map(({ kid }: { kid: string }) => kid)
}

describe('rotating the signing keys', () => {
  // security: key-6, check-30
  it('publishes the new key at once, signs with it two minutes later, and ends no session', async () => {
    const duckling = await aDuckling()
    const context = await duckling.context()
    const certificate = await issueCertificate(context)
    const now = readClock()
    const oldKid = kidOf(signToken('access', {}, now))
    const newKid = await rotateKeys(now)

    expect(await publishedKids()).toEqual(expect.arrayContaining([oldKid, newKid]))
    for (const seconds of [0, 60, 120]) {
      const token = signToken('access', {}, secondsAfter(now, seconds))
      // Another test of this database may have published a key a minute ago, which signs meanwhile.
      expect(kidOf(token), `${seconds} s later`).not.toBe(newKid)
    }
    const later = { ...context, now: secondsAfter(now, 121) }
    const session = await transaction((tx) =>
      startSession(tx, later, { id: duckling.id, trustTier: 'T1', distrustedKeys: 0 }, ['otp']),
    )
    expect(kidOf(session.token)).toBe(newKid)
    expect((await authenticateSession(session.token, later.now))?.caller.id).toBe(duckling.id)
    expect((await call('GET /beak/profile', { token: session.token })).status).toBe(200)

    expect((await call('GET /beak/profile', { token: duckling.token })).status).toBe(200)
    const { body: jwks } = await call('GET /.well-known/jwks.json')
    await jwtVerify(certificate.credential, createLocalJWKSet(jwks), { typ: 'vc+jwt' })
  })
})

describe('retiring a signing key', () => {
  // security: key-6
  it('destroys its private key and keeps its signatures valid', async () => {
    const duckling = await aDuckling()
    const certificate = await issueCertificate(await duckling.context())
    const oldKid = kidOf(certificate.credential) ?? ''
    const now = readClock()
    const newKid = await rotateKeys(now)
    const later = secondsAfter(now, 121)
    await retireKey(oldKid, later)

    const row = await db().signingKey.findUniqueOrThrow({ where: { kid: oldKid } })
    expect(row).toMatchObject({ privateKey: null, retiredAt: later })
    expect(kidOf(signToken('access', {}, later))).toBe(newKid)
    expect(await publishedKids()).toContain(oldKid)
    expect((await call('GET /beak/profile', { token: duckling.token })).status).toBe(200)
    const { body: jwks } = await call('GET /.well-known/jwks.json')
    await jwtVerify(certificate.credential, createLocalJWKSet(jwks), { typ: 'vc+jwt' })
    await expect(retireKey(oldKid, later)).rejects.toThrow(RetirementRefused)
  })

  it('fails for an unknown key, and for the last key that can sign, also with simultaneous calls', async () => {
    const now = readClock()
    await expect(retireKey('unknown', now)).rejects.toThrow(RetirementRefused)
    await rotateKeys(now)
    const able = await db().signingKey.findMany({ where: { purpose: 'token', privateKey: { not: null } } })
    const later = secondsAfter(now, 121)
    const tries = await Promise.allSettled(able.map(({ kid }) => retireKey(kid, later)))
    expect(tries.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await db().signingKey.count({ where: { purpose: 'token', privateKey: { not: null } } })).toBe(1)
  })

  it('fails for the key that signs while its successor is not published long enough', async () => {
    const now = readClock()
    const [only] = await db().signingKey.findMany({ where: { purpose: 'token', privateKey: { not: null } } })
    const kid = await rotateKeys(now)
    await expect(retireKey(only?.kid ?? '', secondsAfter(now, 60))).rejects.toThrow(RetirementRefused)
    await retireKey(only?.kid ?? '', secondsAfter(now, 121))
    expect(kidOf(signToken('access', {}, now))).toBe(kid)
  })
})
