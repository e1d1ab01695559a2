import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { readClock } from '@/lib/kernel/runtime/clock'
import { publicKeys, signingKey } from './signing-keys'
import { type TokenKind, tokenTypes } from './tokens'

type Json = Record<string, unknown>

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json
const attacker = generateKeyPairSync('ed25519')

interface Parts {
  header: Json
  claims: Json
}

const partsOf = ({ token }: ADuckling): Parts => {
  const [header, claims] = token.split('.')
  return { header: decode(header), claims: decode(claims) }
}

function signed({ header, claims }: Parts, key: KeyObject = signingKey(readClock()).privateKey): string {
  const body = `${encode(header)}.${encode(claims)}`
  return `${body}.${sign(null, Buffer.from(body), key).toString('base64url')}`
}

function withHmac({ header, claims }: Parts, secret: string | Buffer): string {
  const body = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
}

async function expectRejected(token: string, about: string): Promise<void> {
  const { status, body } = await call('GET /beak/profile', { token })
  expect([status, body.code], about).toEqual([401, 'E4006'])
}

/** A duckling whose session has no digest of its token, so that only the signature is checked. */
async function aDucklingBySignature(): Promise<ADuckling> {
  const duckling = await aDuckling()
  const { sid } = partsOf(duckling).claims
  await db().session.update({ where: { id: String(sid) }, data: { tokenHash: null } })
  return duckling
}

const without = (claims: Json, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))

describe('a session token', () => {
  it('is accepted when it is made like the service makes it (the forgeries below differ from it)', async () => {
    const duckling = await aDucklingBySignature()
    const token = signed(partsOf(duckling))
    expect((await call('GET /beak/profile', { token })).body.duckling_id).toBe(duckling.id)
    const other = signed({ ...partsOf(duckling), claims: { ...partsOf(duckling).claims, jti: 'another' } })
    expect((await call('GET /beak/profile', { token: other })).body.duckling_id).toBe(duckling.id)
  })

  it('is rejected when another token was issued for the session, although the key of the service signed it', async () => {
    const duckling = await aDuckling()
    const { header, claims } = partsOf(duckling)
    expect(signed({ header, claims })).toBe(duckling.token)
    await expectRejected(signed({ header, claims: { ...claims, jti: 'another' } }), 'another jti')
    await expectRejected(signed({ header, claims: { ...claims, trust_tier: 'T3' } }), 'another tier')
    expect((await call('GET /beak/profile', { token: duckling.token })).status).toBe(200)
  })

  // security: stranger-9
  it('is rejected without a signature (alg none)', async () => {
    const { header, claims } = partsOf(await aDucklingBySignature())
    for (const alg of ['none', 'None', 'NONE', '']) {
      const parts = { header: { ...header, alg }, claims }
      const body = `${encode(parts.header)}.${encode(claims)}`
      await expectRejected(`${body}.`, `${alg}, no signature`)
      await expectRejected(body, `${alg}, two parts`)
      await expectRejected(signed(parts), `${alg}, with a signature`)
    }
  })

  // security: stranger-9
  it('is rejected with an HMAC that uses the public key as its secret', async () => {
    const parts = partsOf(await aDucklingBySignature())
    const jwk = publicKeys().find(({ kid }) => kid === parts.header.kid)
    if (!jwk) throw new Error('the key is not published')
    const forms = [jwk.x, Buffer.from(jwk.x, 'base64url'), JSON.stringify(jwk), '']
    for (const secret of forms) await expectRejected(withHmac(parts, secret), String(secret))
  })

  // security: check-22
  it('is rejected with a key in its header or a link to a key', async () => {
    const { header, claims } = partsOf(await aDucklingBySignature())
    const jwk = attacker.publicKey.export({ format: 'jwk' })
    const headers = {
      jwk: { ...jwk, kid: header.kid },
      jku: 'https://attacker.example/jwks.json',
      x5u: 'https://attacker.example/cert.pem',
      x5c: ['MIIB'],
      crit: ['exp'],
    }
    for (const [name, value] of Object.entries(headers)) {
      const parts = { header: { ...header, [name]: value }, claims }
      await expectRejected(signed(parts, attacker.privateKey), `${name}, their key`)
      await expectRejected(signed(parts), `${name}, our key`)
    }
  })

  it('is rejected with an unknown, missing or misused kid, and with another key under a known kid', async () => {
    const { header, claims } = partsOf(await aDucklingBySignature())
    for (const kid of [
      'unknown',
      '',
      '../../etc/passwd',
      "' OR 1=1 --",
      '__proto__',
      'constructor',
      null,
      1,
      ['a'],
    ])
      await expectRejected(signed({ header: { ...header, kid }, claims }, attacker.privateKey), String(kid))
    await expectRejected(signed({ header: without(header, 'kid'), claims }), 'no kid')
    await expectRejected(signed({ header, claims }, attacker.privateKey), 'their key under our kid')
  })

  it('is rejected with another type, as are all other tokens of the service in its place', async () => {
    const { header, claims } = partsOf(await aDucklingBySignature())
    const kinds = Object.keys(tokenTypes) as TokenKind[]
    const others = kinds.filter((kind) => kind !== 'access').map((kind) => tokenTypes[kind])
    for (const typ of [...others, 'JWT', 'AT+JWT', 'application/at+jwt', '', null])
      await expectRejected(signed({ header: { ...header, typ }, claims }), String(typ))
    await expectRejected(signed({ header: without(header, 'typ'), claims }), 'no typ')
  })

  it('is rejected with another audience or issuer', async () => {
    const { header, claims } = partsOf(await aDucklingBySignature())
    const others = ['https://attacker.example', 'http://localhost:3000/', '', null, ['http://localhost:3000']]
    for (const value of others) {
      await expectRejected(signed({ header, claims: { ...claims, aud: value } }), `aud ${value}`)
      await expectRejected(signed({ header, claims: { ...claims, iss: value } }), `iss ${value}`)
    }
  })

  it('is rejected after it expired and before it is valid', async () => {
    const { header, claims } = partsOf(await aDucklingBySignature())
    const seconds = Math.floor(readClock().getTime() / 1000)
    for (const exp of [seconds - 1, 0, -1, String(seconds + 60), null])
      await expectRejected(signed({ header, claims: { ...claims, exp } }), `exp ${exp}`)
    for (const nbf of [seconds + 60, 'now', null])
      await expectRejected(signed({ header, claims: { ...claims, nbf } }), `nbf ${nbf}`)
  })

  it('is rejected when a claim is missing', async () => {
    const { header, claims } = partsOf(await aDucklingBySignature())
    for (const name of ['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'exp', 'auth_time'])
      await expectRejected(signed({ header, claims: without(claims, name) }), name)
    await expectRejected(
      signed({ header, claims: { ...claims, sid: 'SES-01JD0000000000000000000000' } }),
      'sid',
    )
  })

  // security: stranger-9
  it('is rejected when a character is changed, added or removed', async () => {
    const { token } = await aDucklingBySignature()
    for (let place = 0; place < token.length; place += 5) {
      const changed = token.charAt(place) === 'A' ? 'B' : 'A'
      await expectRejected(token.slice(0, place) + changed + token.slice(place + 1), `at ${place}`)
    }
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const char of last) {
      const respelled = token.slice(0, -1) + char
      if (respelled !== token) await expectRejected(respelled, `ends in ${char}`)
    }
    for (const other of [
      `${token}A`,
      token.slice(0, -1),
      `${token}.`,
      `.${token}`,
      `${token}=`,
      token.repeat(2),
    ])
      await expectRejected(other, other.slice(-3))
  })
})
