import { personName } from '@beak/decision/person-name'
import { z } from 'zod'
import { signToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import type { Tier } from '@/lib/kernel/request/tier'

/** Returns the address of the page that checks a certificate. */
export function verifyUrl(certificateId: string): string {
  return `${config().baseUrl}/verify/${certificateId}`
}

/**
 * Signs certificates as credentials that anybody can verify without calling us: W3C Verifiable Credentials 2.0, secured as JWTs
 * ("Securing Verifiable Credentials using JOSE and COSE", `vc+jwt`). An entry of a Bitstring Status List v1.0 shows revocations.
 */

export const credentialsContext = 'https://www.w3.org/ns/credentials/v2'

/** The number of certificates on one status list: the minimum of the standard, 16 KiB of bits. */
export const statusListLength = 131_072

/** Returns the status list of a certificate, and its bit there. */
function statusPlace(statusIndex: number): { list: number; bit: number } {
  return { list: Math.floor(statusIndex / statusListLength), bit: statusIndex % statusListLength }
}

export function statusListUrl(list: number): string {
  return `${config().baseUrl}/.well-known/status-list/${list}`
}

export interface IssuedCertificate {
  id: string
  ducklingId: string
  displayName: string
  fullName: string | null
  tier: Tier
  issuedAt: Date
  statusIndex: number
}

/**
 * Signs a certificate as a credential. It has no expiry: a certificate is valid until it is revoked or superseded, which the status list
 * shows.
 */
export function signCertificate(certificate: IssuedCertificate): string {
  const { list, bit } = statusPlace(certificate.statusIndex)
  const listUrl = statusListUrl(list)
  const claims = {
    '@context': [credentialsContext],
    id: verifyUrl(certificate.id),
    type: ['VerifiableCredential', 'BirthCertificate'],
    issuer: config().baseUrl,
    validFrom: certificate.issuedAt.toISOString(),
    credentialSubject: {
      id: `urn:beak:${certificate.ducklingId}`,
      display_name: certificate.displayName,
      ...(certificate.fullName === null ? {} : { full_name: certificate.fullName }),
      trust_tier: certificate.tier,
    },
    credentialStatus: {
      id: `${listUrl}#${bit}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: String(bit),
      statusListCredential: listUrl,
    },
  }
  return signToken('credential', claims, certificate.issuedAt)
}

const Named = z.object({
  credentialSubject: z.object({ display_name: z.string(), full_name: z.string().optional() }),
})

/** Returns the name that a stored credential has: the name that people saw when it was issued. Does not verify its signature. */
export function nameInCredential(credential: string): string {
  const [, body = ''] = credential.split('.')
  return personName(
    Named.parse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))).credentialSubject,
  )
}
