import { sign, verify } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { logKey, logPublicKeys } from './log-keys'
import { RetirementRefused, retireKey, rotateKeys, rotateLogKey } from './rotate'
import { reloadKeys, signingKey, verificationKey } from './signing-keys'

afterAll(reloadKeys)

describe('the key of the transparency log', () => {
  it('is made once, also by 50 simultaneous callers', async () => {
    const now = readClock()
    const made = await Promise.all(Array.from({ length: 50 }, () => logKey(now)))
    const [first] = made
    expect(new Set(made.map(({ kid }) => kid))).toEqual(new Set([first?.kid]))
    const found = await transaction((tx) => logKey(now, tx))
    expect(found).toMatchObject({ kid: first?.kid, x: first?.x })
    expect((await logPublicKeys()).map(({ kid }) => kid)).toContain(found.kid)
  })

  it('makes signatures that its public key verifies', async () => {
    const { kid, x, privateKey } = await logKey(readClock())
    expect(await logPublicKeys()).toContainEqual({ kid, x })
    const key = { key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' } as const
    expect(verify(null, Buffer.from('note'), key, sign(null, Buffer.from('note'), privateKey))).toBe(true)
  })

  // security: key-7
  it('is not in the JWKS, signs and verifies no token, and cannot be retired as a token key', async () => {
    const { kid } = await logKey(readClock())
    await reloadKeys()
    const { body } = await call('GET /.well-known/jwks.json')
    expect(body.keys.map((key: { kid: string }) => key.kid)).not.toContain(kid)
    expect(await verificationKey(kid)).toBeNull()
    expect(signingKey(secondsAfter(readClock(), 1000)).kid).not.toBe(kid)
    await expect(retireKey(kid, readClock())).rejects.toThrow(RetirementRefused)
  })

  // security: key-7
  it('is never a token key, even when a token key is the newest key', async () => {
    const token = await rotateKeys(secondsAfter(readClock(), 5))
    expect((await logKey(readClock())).kid).not.toBe(token)
    expect((await logPublicKeys()).map(({ kid }) => kid)).not.toContain(token)
  })

  it('is replaced at once by a rotation, which keeps the old public key and destroys the private key', async () => {
    const old = await logKey(readClock())
    const now = secondsAfter(readClock(), 1)
    const kid = await rotateLogKey(now)
    expect((await logKey(now)).kid).toBe(kid)
    expect((await logPublicKeys()).slice(0, 2).map((key) => key.kid)).toEqual([kid, old.kid])
    const row = await db().signingKey.findUniqueOrThrow({ where: { kid: old.kid } })
    expect(row).toMatchObject({ privateKey: null, retiredAt: now })
  })
})
