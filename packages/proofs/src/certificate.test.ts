/** Certificates that the service issued, and certificates and status lists that are changed, forged or not others. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { statusListLength } from '@/lib/domain/certs/credential'
import { issueCertificate, revokeCertificate } from '@/lib/domain/certs/issue'
import type { CertificateInput } from '@/lib/domain/certs/schema'
import { encodeBits, getStatusList } from '@/lib/domain/certs/status-list'
import { type ADuckling, aDuckling, anonymously } from '@/lib/factories/ducklings'
import { alterationsOf, confusionsOf } from '@/lib/fixtures/altered'
import { forge, type StolenKey, stealSigningKey } from '@/lib/fixtures/stolen-keys'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { type CertificateOptions, verifyCertificate } from './certificate'
import type { KeySet } from './keys'

const issuer = 'http://localhost:3000'

/** Fetches from the service in this process. */
const fromService = async (url: string) => callRaw(`GET ${new URL(url).pathname}`)

/** Fails when a check makes a request. */
const offline = async (url: string): Promise<Response> => {
  throw new Error(`${url} was requested`)
}

let duckling: ADuckling
let certificate: CertificateInput
let claims: Record<string, unknown> & { credentialStatus: Record<string, string> }
let keys: KeySet
let stolen: StolenKey
let statusList: string
let listClaims: Record<string, unknown> & { credentialSubject: Record<string, unknown> }
let now: Date

/** Each list is built at a time of its own, so that none is cached. */
let ahead = 0
async function currentList(): Promise<{ statusList: string; now: Date }> {
  ahead += 6
  const at = secondsAfter(readClock(), ahead)
  return { statusList: await getStatusList({ ...anonymously(), now: at }, 0), now: at }
}

beforeAll(async () => {
  duckling = await aDuckling()
  certificate = await issueCertificate(await duckling.context())
  claims = decodeJwt(certificate.credential) as typeof claims
  keys = (await call('GET /.well-known/jwks.json')).body
  stolen = await stealSigningKey()
  ;({ statusList, now } = await currentList())
  listClaims = decodeJwt(statusList) as typeof listClaims
})

const check = (credential: string, options: Partial<CertificateOptions> = {}) =>
  verifyCertificate(credential, { issuer, keys, statusList, now, fetch: offline, ...options })

const reasonFor = async (credential: string, options: Partial<CertificateOptions> = {}) => {
  const verdict = await check(credential, options)
  return verdict.ok ? 'ok' : verdict.fault.reason
}

describe('a certificate of the service', () => {
  it('is valid with the keys and the status list that the service publishes', async () => {
    const verdict = await verifyCertificate(certificate.credential, { issuer, fetch: fromService })
    expect(verdict).toEqual({
      ok: true,
      facts: {
        certId: certificate.cert_id,
        ducklingId: duckling.id,
        displayName: duckling.displayName,
        fullName: null,
        trustTier: 'T1',
        issuedAt: certificate.issued_at,
        issuer,
        kid: stolen.kid,
      },
    })
  })

  it('is valid with given keys and a given status list, without a request', async () => {
    expect(await check(certificate.credential)).toMatchObject({ ok: true })
  })

  it('is not valid after it was revoked, or superseded at a higher tier', async () => {
    const [revoked, superseded] = [await aDuckling(), await aDuckling()]
    const [first, second] = await Promise.all([
      issueCertificate(await revoked.context()),
      issueCertificate(await superseded.context()),
    ])
    expect(await reasonFor(first.credential, await currentList())).toBe('ok')
    await revokeCertificate(await revoked.context(), 'lost')
    await db().duckling.update({ where: { id: superseded.id }, data: { trustTier: 'T2' } })
    const newer = await issueCertificate(await superseded.context())
    const after = await currentList()
    expect(await reasonFor(first.credential, after)).toBe('revoked')
    expect(await reasonFor(second.credential, after)).toBe('revoked')
    expect(await reasonFor(newer.credential, after)).toBe('ok')
  })
})

describe('a changed certificate', () => {
  // security: site-15
  it('is not valid with any character changed, removed or added', async () => {
    await fc.assert(
      fc.asyncProperty(alterationsOf(certificate.credential), async (altered) => {
        expect((await check(altered)).ok).toBe(false)
      }),
      { numRuns: 400 },
    )
  })

  // security: site-15
  it('is not valid under a header with another algorithm or other members', async () => {
    const x = String(keys.keys.find(({ kid }) => kid === stolen.kid)?.x)
    for (const [name, token] of confusionsOf(certificate.credential, x))
      expect([name, await reasonFor(token)]).toEqual([name, 'malformed'])
  })

  it('is not valid when another key signed it under the id of our key', async () => {
    const { privateKey } = await generateKeyPair('Ed25519')
    const header = { alg: 'EdDSA', typ: 'vc+jwt', kid: stolen.kid }
    const forged = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
    expect(await reasonFor(forged)).toBe('wrong_signature')
  })

  it('is not valid when the key is unknown or distrusted, or the keys cannot be read', async () => {
    const { publicKey } = await generateKeyPair('Ed25519')
    const other = { keys: [{ kty: 'OKP', ...(await exportJWK(publicKey)), kid: 'other' }] }
    expect(await reasonFor(certificate.credential, { keys: other })).toBe('unknown_key')
    const distrusted = [{ kid: stolen.kid, from: '2026-01-01T00:00:00.000Z' }]
    expect(await reasonFor(certificate.credential, { keys: { ...keys, distrusted } })).toBe('distrusted_key')
    expect(await reasonFor(certificate.credential, { keys: undefined })).toBe('keys_unavailable')
  })

  it('is not valid for another issuer, and another token of the service is not a certificate', async () => {
    expect(await reasonFor(certificate.credential, { issuer: 'https://other.example' })).toBe('wrong_issuer')
    expect(await reasonFor(duckling.token)).toBe('wrong_type')
    expect(await reasonFor(statusList)).toBe('malformed')
  })

  // security: site-24
  it.each<[string, (status: Record<string, string>) => object]>([
    ['another iss', () => ({ iss: 'https://other.example' })],
    ['another issuer', () => ({ issuer: 'https://other.example' })],
    ['an audience', () => ({ aud: 'shop.example' })],
    ['terms of use', () => ({ termsOfUse: [{ type: 'Never' }] })],
    ['a bound key', () => ({ cnf: { jkt: 'x' } })],
    [
      'another context',
      () => ({ '@context': ['https://www.w3.org/ns/credentials/v2', 'https://evil.example'] }),
    ],
    ['another type', () => ({ type: ['VerifiableCredential', 'DeathCertificate'] })],
    ['the id of another site', () => ({ id: `https://evil.example/verify/CERT-${'0'.repeat(26)}` })],
    ['an id that is no certificate', () => ({ id: `${issuer}/verify/../CERT-${'0'.repeat(26)}` })],
    ['no status', () => ({ credentialStatus: undefined })],
    ['two status entries', (status) => ({ credentialStatus: [status, status] })],
    ['a status with unknown members', (status) => ({ credentialStatus: { ...status, statusSize: 2 } })],
    ['another purpose', (status) => ({ credentialStatus: { ...status, statusPurpose: 'suspension' } })],
    ['a negative index', (status) => ({ credentialStatus: { ...status, statusListIndex: '-1' } })],
    [
      'a list of another host',
      (status) => ({
        credentialStatus: {
          ...status,
          id: `https://evil.example/1#${status.statusListIndex}`,
          statusListCredential: 'https://evil.example/1',
        },
      }),
    ],
    [
      'an index beside its id',
      (status) => ({
        credentialStatus: { ...status, statusListIndex: String(Number(status.statusListIndex) + 1) },
      }),
    ],
    ['a tier that does not exist', () => ({ credentialSubject: { trust_tier: 'T9' } })],
    ['a date that is none', () => ({ validFrom: 'yesterday' })],
    ['a date after its end', () => ({ validUntil: '2026-01-01T00:00:00.000Z' })],
    ['an end in seconds that has passed', () => ({ exp: 1 })],
    ['a start in the future', () => ({ validFrom: '2999-01-01T00:00:00.000Z' })],
    ['a start in seconds in the future', () => ({ nbf: 32_503_680_000 })],
  ])('is not valid with %s, even when our key signed it', async (_, change) => {
    const credential = forge(stolen, 'credential', { ...claims, ...change(claims.credentialStatus) })
    expect((await check(credential)).ok).toBe(false)
  })

  it('says whether it is too early or too late, with 30 seconds of tolerance for the start only', async () => {
    const at = (seconds: number) => secondsAfter(certificate.issued_at as Date, seconds)
    expect(await reasonFor(certificate.credential, { now: at(-31) })).toBe('not_yet_valid')
    const ended = forge(stolen, 'credential', { ...claims, validUntil: now.toISOString() })
    expect(await reasonFor(ended)).toBe('expired')
  })
})

describe('a status list', () => {
  /** Signs the list again with some members changed. */
  const listWith = (changes: object, subject: object = {}) =>
    forge(stolen, 'credential', {
      ...listClaims,
      credentialSubject: { ...listClaims.credentialSubject, ...subject },
      ...changes,
    })
  const packed = (bits: Uint8Array) => ({ encodedList: `u${gzipSync(bits).toString('base64url')}` })
  const encoded = () => String(listClaims.credentialSubject.encodedList)

  // security: site-23
  it('is needed: without one that can be read, no certificate is valid', async () => {
    const reason = (fetch: CertificateOptions['fetch']) =>
      reasonFor(certificate.credential, { statusList: undefined, fetch })
    expect(await reason(offline)).toBe('status_unavailable')
    expect(await reason(async () => new Response('no', { status: 503 }))).toBe('status_unavailable')
    expect(await reason(async () => new Response('x'.repeat(2 ** 18 + 1)))).toBe('status_unavailable')
    expect(await reason(async () => new Response('no list'))).toBe('status_invalid')
    expect(await reason(async () => new Response(statusList))).toBe('ok')
    expect(await reasonFor(certificate.credential, { statusList: '' })).toBe('status_invalid')
  })

  // security: site-15
  it('is not valid with any character changed, removed or added', async () => {
    await fc.assert(
      fc.asyncProperty(alterationsOf(statusList), async (altered) => {
        expect(await reasonFor(certificate.credential, { statusList: altered })).toBe('status_invalid')
      }),
      { numRuns: 200 },
    )
  })

  // security: site-23
  it('is used until it expires, and not before it was made', async () => {
    const at = (seconds: number) => reasonFor(certificate.credential, { now: secondsAfter(now, seconds) })
    expect(await at(599)).toBe('ok')
    expect(await at(600)).toBe('status_invalid')
    const later = listWith({ validFrom: secondsAfter(now, 31).toISOString() })
    expect(await reasonFor(certificate.credential, { statusList: later })).toBe('status_invalid')
  })

  // security: site-23
  it('is used for ten minutes at most, whatever end and ttl it names', async () => {
    const claimed = { validUntil: secondsAfter(now, 315_360_000).toISOString(), exp: 4_102_444_800 }
    const list = (age: number) =>
      listWith({ ...claimed, validFrom: secondsAfter(now, -age).toISOString() }, { ttl: 315_360_000_000 })
    expect(await reasonFor(certificate.credential, { statusList: list(599) })).toBe('ok')
    for (const age of [600, 2_592_000])
      expect(await reasonFor(certificate.credential, { statusList: list(age) })).toBe('status_invalid')
  })

  it.each<[string, () => string]>([
    ['of another issuer', () => listWith({ iss: 'https://other.example' })],
    ['that names another issuer', () => listWith({ issuer: 'https://other.example' })],
    ['of another range', () => listWith({ id: `${issuer}/.well-known/status-list/1` })],
    ['of another type', () => listWith({ type: ['VerifiableCredential'] })],
    ['without an end', () => listWith({ validUntil: undefined })],
    ['for another purpose', () => listWith({}, { statusPurpose: 'suspension' })],
    ['with a ttl that is no number', () => listWith({}, { ttl: '5000' })],
    ['with a negative ttl', () => listWith({}, { ttl: -1 })],
    ['without its multibase prefix', () => listWith({}, { encodedList: encoded().slice(1) })],
    ['whose bits are cut', () => listWith({}, { encodedList: encoded().slice(0, -8) })],
    ['whose bits are not packed', () => listWith({}, { encodedList: `u${'A'.repeat(64)}` })],
    ['with too few bits', () => listWith({}, packed(new Uint8Array(statusListLength / 8 - 1)))],
    ['that unpacks to too many bytes', () => listWith({}, packed(new Uint8Array(2 ** 24)))],
  ])('%s is refused, even when our key signed it', async (_, make) => {
    expect(await reasonFor(certificate.credential, { statusList: make() })).toBe('status_invalid')
  })

  it('of another key is refused', async () => {
    const { privateKey } = await generateKeyPair('Ed25519')
    const header = { alg: 'EdDSA', typ: 'vc+jwt', kid: stolen.kid }
    const list = await new SignJWT(listClaims).setProtectedHeader(header).sign(privateKey)
    expect(await reasonFor(certificate.credential, { statusList: list })).toBe('status_invalid')
  })

  it('counts bits from the highest of the first byte', async () => {
    const bit = Number(claims.credentialStatus.statusListIndex)
    const withBits = (...bits: number[]) => listWith({}, { encodedList: encodeBits(bits) })
    expect(await reasonFor(certificate.credential, { statusList: withBits(bit) })).toBe('revoked')
    const around = withBits(bit - 1 < 0 ? bit + 2 : bit - 1, bit + 1)
    expect(await reasonFor(certificate.credential, { statusList: around })).toBe('ok')
  })

  it('is fetched again only after its ttl', async () => {
    let fetched = 0
    const fetch = async (): Promise<Response> => {
      fetched += 1
      return new Response(listWith({}, { ttl: 60_000 }))
    }
    const options = { statusList: undefined, fetch }
    expect(await reasonFor(certificate.credential, options)).toBe('ok')
    expect(await reasonFor(certificate.credential, options)).toBe('ok')
    expect(fetched).toBe(1)
    const fresh = async () => {
      fetched += 1
      return new Response(listWith({}, { ttl: 0 }))
    }
    await reasonFor(certificate.credential, { statusList: undefined, fetch: fresh })
    await reasonFor(certificate.credential, { statusList: undefined, fetch: fresh })
    expect(fetched).toBe(3)
  })
})
