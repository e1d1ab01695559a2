/** What no honest service would sign: the passkey's part is judged by itself, not only by our word for it. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { describe, expect, it } from 'vitest'
import { Authenticator, type Deviations } from '@/lib/fixtures/authenticator'
import { config } from '@/lib/kernel/config'
import { sha256 } from '@/lib/kernel/secrets'
import { prepareKeys, publicKeys } from '@/lib/keys/signing-keys'
import { signToken } from '@/lib/keys/tokens'
import { type ApprovalStatement, statementHash, statementText } from '@/lib/pecks/statement'
import { verifyCose } from './cose'
import { type PasskeyProof, passkeyDigest } from './schema'
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
    approval: passkeyDigest(passkey),
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
    expect(verifyReceipt(await receiptWith({}))).toMatchObject({ ok: true })
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
    const verdict = verifyReceipt(await receiptWith(deviations))
    expect(verdict).toMatchObject({ ok: false, fault: { part: 'passkey' } })
    expect(verdict.ok ? '' : verdict.fault.message).toMatch(message)
  })
})

describe('the JWS', () => {
  it('for another audience or another peck is refused', async () => {
    expect(verifyReceipt(await receiptWith({}, { aud: 'https://other.example' })).ok).toBe(false)
    expect(verifyReceipt(await receiptWith({}, { sub: 'PECK-01JD0000000000000000000009' })).ok).toBe(false)
  })
})

describe('a file that is no receipt', () => {
  it.each([null, 1, 'text', [], {}, { statement: {} }])('is refused, never thrown at: %j', (file) => {
    expect(verifyReceipt(file)).toMatchObject({ ok: false, fault: { part: 'file' } })
  })
})

describe('a COSE key', () => {
  it('of RSA is checked too, as Windows Hello has them', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
    const map = new Map<number, number | Uint8Array>([
      [1, 3],
      [3, -257],
      [-1, new Uint8Array(Buffer.from(n, 'base64url'))],
      [-2, new Uint8Array(Buffer.from(e, 'base64url'))],
    ])
    const key = Buffer.from(isoCBOR.encode(map as never))
    const signature = sign('sha256', Buffer.from('text'), privateKey)
    expect(verifyCose(key, Buffer.from('text'), signature)).toBe(true)
    expect(verifyCose(key, Buffer.from('Text'), signature)).toBe(false)
    for (const cut of [0, 1, 5, key.length - 1])
      expect(verifyCose(key.subarray(0, cut), Buffer.from('text'), signature)).toBe(false)
  })
})
