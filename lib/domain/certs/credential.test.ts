import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling, anonymously } from '@/lib/fixtures/ducklings'
import { checkOffline, isSet, type OfflineCheck } from '@/lib/fixtures/offline-verifier'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import { issueCertificate } from './issue'
import { revokeCertificate } from './revoke'
import { encodeBits, getStatusList, parseListNumber } from './status-list'

const issuer = 'http://localhost:3000'

/** Every check is made 6 seconds after the one before, when no built list is kept any more. */
let ahead = 0

/** A fresh certificate and everything a stranger needs to check it. */
async function aCheck() {
  const duckling = await aDuckling()
  const certificate = await issueCertificate(await duckling.context())
  const { body: jwks } = await call('GET /.well-known/jwks.json')
  const check = async (): Promise<OfflineCheck> => {
    ahead += 6
    const now = secondsAfter(readClock(), ahead)
    const { payload } = await jwtVerify(certificate.credential, createLocalJWKSet(jwks))
    const { statusListCredential } = payload.credentialStatus as Record<string, string>
    const list = parseListNumber(String(statusListCredential))
    const statusList = await getStatusList({ ...anonymously(), now }, list)
    return { credential: certificate.credential, statusList, jwks, issuer, now }
  }
  return { duckling, certificate, check }
}

/** The token with one character of one of its parts changed. */
function flip(token: string, part: number, place: number): string {
  const parts = token.split('.')
  const text = parts[part] ?? ''
  const changed = text.charAt(place) === 'A' ? 'B' : 'A'
  parts[part] = text.slice(0, place) + changed + text.slice(place + 1)
  return parts.join('.')
}

describe('a certificate as a credential', () => {
  it('is a W3C VC 2.0 that a stranger checks with our public keys alone', async () => {
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

  it('does not hold once revoked', async () => {
    const { duckling, check } = await aCheck()
    await revokeCertificate(await duckling.context(), 'lost')
    await expect(checkOffline(await check())).rejects.toThrow('revoked')
  })

  it('does not hold with any one character of it changed', async () => {
    const { check } = await aCheck()
    const good = await check()
    for (const [part, text] of good.credential.split('.').entries()) {
      // The last character of the signature has bits that carry nothing; it is left out.
      for (let place = 0; place < text.length - 1; place += 7) {
        await expect(
          checkOffline({ ...good, credential: flip(good.credential, part, place) }),
        ).rejects.toThrow()
      }
    }
  })

  it('does not hold when another key than ours signed it, even under our kid', async () => {
    const { check } = await aCheck()
    const good = await check()
    const { payload, protectedHeader } = await jwtVerify(good.credential, createLocalJWKSet(good.jwks))
    const { privateKey, publicKey } = await generateKeyPair('Ed25519')
    const forged = await new SignJWT(payload)
      .setProtectedHeader({ ...protectedHeader, alg: 'EdDSA' })
      .sign(privateKey)
    await expect(checkOffline({ ...good, credential: forged })).rejects.toThrow()
    const theirs = {
      keys: [{ ...(await exportJWK(publicKey)), kid: protectedHeader.kid ?? '', alg: 'EdDSA' }],
    }
    await expect(checkOffline({ ...good, jwks: theirs })).rejects.toThrow()
  })

  it('does not pass for a session token, nor a session token for it', async () => {
    const { duckling, check } = await aCheck()
    const good = await check()
    expect((await call('GET /beak/profile', { token: good.credential })).status).toBe(401)
    await expect(checkOffline({ ...good, credential: duckling.token })).rejects.toThrow()
  })

  it('does not hold with the status list of another range, nor with an old list', async () => {
    const { check } = await aCheck()
    const good = await check()
    await expect(checkOffline({ ...good, statusList: good.credential })).rejects.toThrow(
      'another status list',
    )
    await expect(checkOffline({ ...good, now: secondsAfter(good.now, 11 * 60) })).rejects.toThrow('expired')
  })
})

describe('the bitstring', () => {
  it('has at least 131,072 bits, the first one left-most', () => {
    const encoded = encodeBits([0, 9, 131_071])
    expect([0, 1, 8, 9, 131_070, 131_071].map((index) => isSet(encoded, index))).toEqual([
      true,
      false,
      false,
      true,
      false,
      true,
    ])
    // The example of the standard: nothing set, 16 KiB.
    expect(isSet('uH4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA', 5)).toBe(false)
  })
})
