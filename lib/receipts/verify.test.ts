/** What no honest service would sign: the passkey's part is judged by itself, not only by our word for it. */
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { describe, expect, it } from 'vitest'
import { Authenticator, type Deviations } from '@/lib/fixtures/authenticator'
import { config } from '@/lib/kernel/config'
import { sha256, sha256Hex } from '@/lib/kernel/secrets'
import { prepareKeys, publicKeys } from '@/lib/keys/signing-keys'
import { signToken } from '@/lib/keys/tokens'
import { statementHash } from '@/lib/pecks/statement'
import { type ApprovalStatement, statementText } from '@/lib/pecks/statement-text'
import { bytesOfText } from './bytes'
import { rawOfDer, verifyCose } from './cose'
import { type PasskeyProof, passkeyText } from './schema'
import { verifyReceipt } from './verify'

const statement: ApprovalStatement = {
  type: 'beak.peck.approval',
  version: 1,
  peck_id: 'PECK-01JD0000000000000000000000',
  action: 'send:email',
  scope: 'standing',
  params_hash: 'ab'.repeat(32),
  requester: { duckling_id: 'DUCK-01JD0000000000000000000000', agent_id: null },
  target_duckling_id: 'DUCK-01JD0000000000000000000001',
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-02T00:00:00.000Z',
  grant_seconds: null,
}

/** A receipt over an assertion with exactly one thing wrong, signed by the service as if all were right. */
async function receiptWith(deviations: Deviations, claims: object = {}) {
  await prepareKeys()
  const authenticator = new Authenticator()
  const [rpId, user] = [new URL(config().baseUrl).hostname, { id: 'dXNlcg', name: 'a', displayName: 'a' }]
  const created = authenticator.create({ rp: { id: rpId, name: 'Beak' }, user, challenge: 'AA' } as never)
  const challenge = statementHash(statement).toString('base64url')
  const { response } = authenticator.get({ rpId, challenge } as never, deviations)
  const { clientDataJSON, authenticatorData, signature } = response
  const passkey: PasskeyProof = {
    credential_id: created.id,
    public_key: coseKeyOf(created.response.attestationObject),
    assertion: { clientDataJSON, authenticatorData, signature },
  }
  const decidedAt = '2026-01-01T01:00:00.000Z'
  const jws = signToken('receipt', {
    aud: config().baseUrl,
    sub: statement.peck_id,
    iat: 1,
    decision: 'approved',
    decided_at: decidedAt,
    grant_expires_at: null,
    statement,
    approval: sha256Hex(passkeyText(passkey)),
    ...claims,
  })
  return {
    peck_id: statement.peck_id,
    decided_at: decidedAt,
    statement,
    statement_text: statementText(statement),
    jws,
    passkey,
    jwks: { keys: publicKeys() },
  }
}

/** The COSE key behind the credential id in an attestation object without statement. */
function coseKeyOf(attestationObject: string): string {
  const bytes = new Uint8Array(Buffer.from(attestationObject, 'base64url'))
  const authData = Buffer.from((isoCBOR.decodeFirst(bytes) as Map<string, Uint8Array>).get('authData') ?? [])
  return authData.subarray(55 + authData.readUInt16BE(53)).toString('base64url')
}

describe('an assertion', () => {
  it('that is right holds', async () => {
    expect(await verifyReceipt(await receiptWith({}))).toMatchObject({ ok: true })
  })

  it.each<[string, Deviations, RegExp]>([
    ['another statement', { challenge: sha256('other').toString('base64url') }, /another statement/],
    ['a registration', { type: 'webauthn.create' }, /something else/],
    ['another site', { origin: 'https://evil.example' }, /on another site/],
    ['a frame in another site', { crossOrigin: true }, /on another site/],
    ['the passkey of another site', { rpId: 'evil.example' }, /belongs to another site/],
    ['nobody verified', { isUserVerified: false }, /that the person was there/],
    ['another key', { isForged: true }, /signature does not match/],
  ])('over %s is refused, though the service vouches for it', async (_, deviations, message) => {
    const verdict = await verifyReceipt(await receiptWith(deviations))
    expect(verdict).toMatchObject({ ok: false, fault: { part: 'passkey' } })
    expect(verdict.ok ? '' : verdict.fault.message).toMatch(message)
  })
})

describe('the JWS', () => {
  it('for another audience or another peck is refused', async () => {
    expect((await verifyReceipt(await receiptWith({}, { aud: 'https://other.example' }))).ok).toBe(false)
    const other = await receiptWith({}, { sub: 'PECK-01JD0000000000000000000009' })
    expect((await verifyReceipt(other)).ok).toBe(false)
  })
})

describe('a file that is no receipt', () => {
  it.each([null, 1, 'text', [], {}, { statement: {} }])('is refused, never thrown at: %j', async (file) => {
    expect(await verifyReceipt(file)).toMatchObject({ ok: false, fault: { part: 'file' } })
  })
})

describe('a COSE key', () => {
  it('of RSA is checked too, as Windows Hello has them', async () => {
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

describe('an ECDSA signature', () => {
  const bytesOf = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))

  it('is read from DER, short numbers and those with a sign byte alike', () => {
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
    ['nothing', ''],
    ['another length than it says', '30 07 02 01 01 02 01 01'],
    ['something behind it', '30 08 02 01 01 02 01 01 0500'],
    ['a negative number', '30 06 02 01 ff 02 01 01'],
    ['a zero too many', '30 07 02 02 0001 02 01 01'],
    ['an empty number', '30 05 02 00 02 01 01'],
    ['a number that is too long', `30 26 02 21 ${'11'.repeat(33)} 02 01 01`],
  ])('with %s is none', (_, text) => {
    expect(() => rawOfDer(bytesOf(text))).toThrow()
  })
})

describe('a key in the file', () => {
  it('that is named rightly but is none is refused, not thrown at', async () => {
    const receipt = await receiptWith({})
    const kid = sha256('{"crv":"Ed25519","kty":"OKP","x":"AA"}').toString('base64url')
    const [, ...rest] = receipt.jws.split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'peck-receipt+jwt', kid })).toString(
      'base64url',
    )
    const key = { kty: 'OKP', crv: 'Ed25519', x: 'AA', kid, use: 'sig', alg: 'EdDSA' }
    const file = { ...receipt, jws: [header, ...rest].join('.'), jwks: { keys: [key] } }
    expect(await verifyReceipt(file)).toMatchObject({ ok: false, fault: { part: 'jwks' } })
  })
})
