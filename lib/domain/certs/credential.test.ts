import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling, anonymously } from '@/lib/factories/ducklings'
import { checkOffline, isSet, type OfflineCheck } from '@/lib/fixtures/offline-verifier'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { issueCertificate, revokeCertificate } from './issue'
import { encodeBits, getStatusList, parseListNumber } from './status-list'

const issuer = 'http://localhost:3000'

/** Each check is 6 seconds after the one before, so that no cached list is used. */
let ahead = 0

/** Issues a certificate. Returns it with everything that a verifier needs. */
async function aCheck() {
  const duckling = await aDuckling()
  const certificate = await issueCertificate(await duckling.context())
  const { body: jwks } = await call('GET /.well-known/jwks.json')
  const check = async (): Promise<OfflineCheck> => {
    ahead += 6
    const now = secondsAfter(readClock(), ahead)
    const { payload } = await jwtVerify(certificate.credential, createLocalJWKSet(jwks))
    const { statusListCredential } = payload.credentialStatus as Record<string, string>
    const list = parseListNumber(statusListCredential?.split('/').at(-1) ?? '')
    const statusList = await getStatusList({ ...anonymously(), now }, list)
    return { credential: certificate.credential, statusList, jwks, issuer, now }
  }
  return { duckling, certificate, check }
}

/** Returns the token with one changed character in one of its parts. */
function flip(token: string, part: number, place: number): string {
  const parts = token.split('.')
  const text = parts[part] ?? ''
  const changed = text.charAt(place) === 'A' ? 'B' : 'A'
  parts[part] = text.slice(0, place) + changed + text.slice(place + 1)
  return parts.join('.')
}

describe('a certificate as a credential', () => {
  it('is a W3C VC 2.0 that can be verified with only our public keys', async () => {
    const { duckling, certificate, check } = await aCheck()
    const claims = await checkOffline(await check())
    const index = claims.credentialStatus.statusListIndex
    const listUrl = claims.credentialStatus.statusListCredential
    expect(listUrl).toMatch(/^http:\/\/localhost:3000\/\.well-known\/status-list\/\d+$/)
    expect(claims).toEqual({
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      id: `http://localhost:3000/verify/${certificate.cert_id}`,
      type: ['VerifiableCredential', 'BirthCertificate'],
      iss: issuer,
      issuer,
      validFrom: certificate.issued_at.toISOString(),
      credentialSubject: {
        id: `urn:beak:${duckling.id}`,
        display_name: duckling.displayName,
        trust_tier: 'T1',
      },
      credentialStatus: {
        id: `${listUrl}#${index}`,
        type: 'BitstringStatusListEntry',
        statusPurpose: 'revocation',
        statusListIndex: expect.stringMatching(/^\d+$/),
        statusListCredential: listUrl,
      },
    })
  })

  it('is not valid after a revocation', async () => {
    const { duckling, check } = await aCheck()
    await revokeCertificate(await duckling.context(), 'lost')
    await expect(checkOffline(await check())).rejects.toThrow('revoked')
  })

  // security: site-14
  it('is not valid with any changed character', async () => {
    const { check } = await aCheck()
    const good = await check()
    for (const [part, text] of good.credential.split('.').entries()) {
      // The last character of the signature is left out, because some of its bits are not used.
      for (let place = 0; place < text.length - 1; place += 7) {
        await expect(
          checkOffline({ ...good, credential: flip(good.credential, part, place) }),
        ).rejects.toThrow()
      }
    }
  })

  // security: check-73
  it('is not valid when another key signed it, even with our kid', async () => {
    const { check } = await aCheck()
    const good = await check()
    const { payload, protectedHeader } = await jwtVerify(good.credential, createLocalJWKSet(good.jwks))
    const { privateKey, publicKey } = await generateKeyPair('Ed25519')
    const forged = await new SignJWT(payload)
      .setProtectedHeader({ ...protectedHeader, alg: 'EdDSA' })
      .sign(privateKey)
    await expect(checkOffline({ ...good, credential: forged })).rejects.toThrow()
    const others = {
      keys: [{ ...(await exportJWK(publicKey)), kid: protectedHeader.kid ?? '', alg: 'EdDSA' }],
    }
    await expect(checkOffline({ ...good, jwks: others })).rejects.toThrow()
  })

  it('is not accepted as a session token, and a session token is not accepted as a credential', async () => {
    const { duckling, check } = await aCheck()
    const good = await check()
    expect((await call('GET /beak/profile', { token: good.credential })).status).toBe(401)
    await expect(checkOffline({ ...good, credential: duckling.token })).rejects.toThrow()
  })

  // security: site-14
  it('is not valid with the status list of another range or an expired list', async () => {
    const { check } = await aCheck()
    const good = await check()
    await expect(checkOffline({ ...good, statusList: good.credential })).rejects.toThrow(
      'another status list',
    )
    await expect(checkOffline({ ...good, now: secondsAfter(good.now, 11 * 60) })).rejects.toThrow('expired')
  })
})

describe('the bitstring', () => {
  it('has 131,072 bits, and the first bit is the highest bit of the first byte', () => {
    const encoded = encodeBits([0, 9, 131_071])
    expect([0, 1, 8, 9, 131_070, 131_071].map((index) => isSet(encoded, index))).toEqual([
      true,
      false,
      false,
      true,
      false,
      true,
    ])
    // The example of the standard: 16 KiB without a set bit.
    expect(isSet('uH4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA', 5)).toBe(false)
  })
})
