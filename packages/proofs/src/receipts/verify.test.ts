/** The passkey proof is verified too: receipts here are signed by the service although their assertion is wrong. */
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { describe, expect, it } from 'vitest'
import type { Deviations } from '@/lib/factories/authenticator'
import { aReceipt } from '@/lib/fixtures/receipts'
import { config, useConfig } from '@/lib/kernel/config'
import { sha256 } from '@/lib/kernel/secrets/secrets'
import { bytesOfText } from '../bytes'
import { rawOfDer, verifyCose } from '../cose'
import { checkReceipt } from './verify'

// security: database-4
describe('an assertion', () => {
  it('is valid when it is correct', async () => {
    expect(await checkReceipt(await aReceipt({}))).toMatchObject({ ok: true })
  })

  it('is made at the origin of the service when the issuer has a path', async () => {
    const { baseUrl } = config()
    useConfig({ baseUrl: 'https://beak.example/prod' })
    try {
      const issuer = 'https://beak.example/prod'
      expect(await checkReceipt(await aReceipt({}))).toMatchObject({ ok: true, facts: { issuer } })
      expect(await checkReceipt(await aReceipt({ origin: issuer }))).toMatchObject({ ok: false })
    } finally {
      useConfig({ baseUrl })
    }
  })

  it.each<[string, Deviations, RegExp]>([
    ['another statement', { challenge: sha256('other').toString('base64url') }, /another statement/],
    ['a registration', { type: 'webauthn.create' }, /something else/],
    ['another site', { origin: 'https://evil.example' }, /on another site/],
    ['a frame in another site', { crossOrigin: true }, /on another site/],
    ['the passkey of another site', { rpId: 'evil.example' }, /belongs to another site/],
    ['no user verification', { isUserVerified: false }, /did not verify the person/],
    ['another key', { isForged: true }, /signature does not match/],
  ])('with %s is rejected, although the service signed it', async (_, deviations, message) => {
    const verdict = await checkReceipt(await aReceipt(deviations))
    expect(verdict).toMatchObject({ ok: false, fault: { part: 'passkey' } })
    expect(verdict.ok ? '' : verdict.fault.message).toMatch(message)
  })
})

// security: database-4
describe('the JWS', () => {
  it('is rejected for another audience or another peck', async () => {
    expect((await checkReceipt(await aReceipt({}, { aud: 'https://other.example' }))).ok).toBe(false)
    const other = await aReceipt({}, { sub: 'PECK-01JD0000000000000000000009' })
    expect((await checkReceipt(other)).ok).toBe(false)
  })
})

// security: database-4
describe('a file that is not a receipt', () => {
  it.each([null, 1, 'text', [], {}, { statement: {} }])(
    'is rejected without an exception: %j',
    async (file) => {
      expect(await checkReceipt(file)).toMatchObject({ ok: false, fault: { part: 'file' } })
    },
  )
})

// security: database-4
describe('a COSE key', () => {
  it('of the kind RSA, as Windows Hello makes, verifies signatures', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
    const map = new Map<number, number | Uint8Array>([
      [1, 3],
      [3, -257],
      [-1, new Uint8Array(Buffer.from(n, 'base64url'))],
      [-2, new Uint8Array(Buffer.from(e, 'base64url'))],
    ])
    const key = new Uint8Array(isoCBOR.encode(map as never))
    const signature = new Uint8Array(sign('sha256', Buffer.from('text'), privateKey))
    expect(await verifyCose(key, bytesOfText('text'), signature)).toBe(true)
    expect(await verifyCose(key, bytesOfText('Text'), signature)).toBe(false)
    for (const cut of [0, 1, 5, key.length - 1])
      expect(await verifyCose(key.slice(0, cut), bytesOfText('text'), signature)).toBe(false)
  })
})

// security: database-4
describe('an ECDSA signature', () => {
  const bytesOf = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))

  it('is converted from DER, also with short numbers and with a sign byte', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    for (let turn = 0; turn < 64; turn++) {
      const der = sign('sha256', Buffer.from(`${turn}`), privateKey)
      const raw = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
      expect(verify('sha256', Buffer.from(`${turn}`), raw, rawOfDer(new Uint8Array(der)))).toBe(true)
    }
    const raw = rawOfDer(bytesOf('30 07 02 02 00ff 02 01 01'))
    expect([raw.length, raw[31], raw[63]]).toEqual([64, 0xff, 1])
  })

  it.each([
    ['no bytes', ''],
    ['a wrong length', '30 07 02 01 01 02 01 01'],
    ['trailing bytes', '30 08 02 01 01 02 01 01 0500'],
    ['a negative number', '30 06 02 01 ff 02 01 01'],
    ['a superfluous zero', '30 07 02 02 0001 02 01 01'],
    ['an empty number', '30 05 02 00 02 01 01'],
    ['a number that is too long', `30 26 02 21 ${'11'.repeat(33)} 02 01 01`],
  ])('with %s is rejected', (_, text) => {
    expect(() => rawOfDer(bytesOf(text))).toThrow()
  })
})

// security: database-4
describe('a key in the file', () => {
  it('with the right id but an invalid value is rejected without an exception', async () => {
    const receipt = await aReceipt({})
    const kid = sha256('{"crv":"Ed25519","kty":"OKP","x":"AA"}').toString('base64url')
    const [, ...rest] = receipt.jws.split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'peck-receipt+jwt', kid })).toString(
      'base64url',
    )
    const key = { kty: 'OKP', crv: 'Ed25519', x: 'AA', kid, use: 'sig', alg: 'EdDSA' }
    const file = { ...receipt, jws: [header, ...rest].join('.'), jwks: { keys: [key] } }
    expect(await checkReceipt(file)).toMatchObject({ ok: false, fault: { part: 'jwks' } })
  })

  // security: site-15
  it('is rejected when the file has it twice', async () => {
    const receipt = await aReceipt({})
    const { keys } = receipt.jwks
    const file = { ...receipt, jwks: { keys: [...keys, ...keys] } }
    expect(await checkReceipt(file)).toMatchObject({ ok: false, fault: { part: 'file' } })
  })
})
