/** The offline check of birth certificates: W3C Verifiable Credentials 2.0 as JWTs, with a bitstring status list. */
import * as z from 'zod'
import { isRevoked, type StatusPlace } from './status-list'
import {
  checkTimes,
  dateOf,
  openToken,
  Refusal,
  type TokenReason,
  type Verdict,
  type VerifyOptions,
  verdictOf,
} from './token'

/** The content of a valid certificate. */
export interface CertificateFacts {
  certId: string
  ducklingId: string
  /** The name at the time of issue. */
  displayName: string
  /** The name in any script at the issue, or null. */
  fullName: string | null
  /** The tier at the time of issue. */
  trustTier: 'T0' | 'T1' | 'T2' | 'T3'
  issuedAt: Date
  issuer: string
  /** The id of the key that signed. */
  kid: string
}

export type CertificateReason =
  | TokenReason
  /** Revoked, or superseded by a certificate at a higher tier. */
  | 'revoked'
  /** The status list cannot be read. */
  | 'status_unavailable'
  /** The status list is not valid: changed, expired, cut, or of another issuer. */
  | 'status_invalid'

export interface CertificateOptions extends VerifyOptions {
  /** The status list that the certificate names, as a signed JWT. By default it is fetched. It must not have expired. */
  statusList?: string | undefined
}

const context = 'https://www.w3.org/ns/credentials/v2'

/** Members that restrict what a credential says. This check does not know their rules, so they may not be there. */
const restricting = { aud: z.never().optional(), cnf: z.never().optional(), termsOfUse: z.never().optional() }

const numericDate = z.number().min(0).max(8.64e12).optional()

const Certificate = z.looseObject({
  ...restricting,
  iss: z.string(),
  issuer: z.string(),
  nbf: numericDate,
  exp: numericDate,
  // A further context could give the members another meaning.
  '@context': z.tuple([z.literal(context)]),
  id: z.string(),
  type: z.tuple([z.literal('VerifiableCredential'), z.literal('BirthCertificate')]),
  validFrom: z.iso.datetime({ offset: true }),
  validUntil: z.iso.datetime({ offset: true }).optional(),
  credentialSubject: z.looseObject({
    id: z.string().regex(/^urn:beak:DUCK-[0-9A-Z]{16,64}$/),
    display_name: z.string(),
    full_name: z.string().optional(),
    trust_tier: z.enum(['T0', 'T1', 'T2', 'T3']),
  }),
  credentialStatus: z.strictObject({
    id: z.string(),
    type: z.literal('BitstringStatusListEntry'),
    statusPurpose: z.literal('revocation'),
    statusListIndex: z.string().regex(/^(0|[1-9]\d{0,8})$/),
    statusListCredential: z.string(),
  }),
})
type Certificate = z.infer<typeof Certificate>

/**
 * Verifies a birth certificate: the signature of the issuer, its times, and that the status list says neither revoked nor superseded. It is
 * valid only when all of them are. Fetches the keys and the status list of the issuer unless they are given. Throws only for wrong
 * options, and when Web Crypto lacks Ed25519.
 *
 * `credential` is the JWT in `credential` of a certificate.
 */
export function verifyCertificate(
  credential: string,
  options: CertificateOptions,
): Promise<Verdict<CertificateFacts, CertificateReason>> {
  return verdictOf(check(credential, { ...options, now: options.now ?? new Date() }))
}

async function check(
  credential: string,
  options: CertificateOptions & { now: Date },
): Promise<CertificateFacts> {
  const { issuer, now, statusList } = options
  const { claims, kid } = await openToken('certificate', credential, 'vc+jwt', Certificate, options)
  if (claims.issuer !== issuer)
    throw new Refusal('wrong_issuer', `The certificate was issued by ${claims.issuer}, not by ${issuer}.`)
  checkTimes(
    'certificate',
    now,
    new Date(claims.validFrom),
    claims.validUntil ? new Date(claims.validUntil) : null,
  )
  checkTimes(
    'certificate',
    now,
    dateOf(claims.nbf ?? 0),
    claims.exp === undefined ? null : dateOf(claims.exp),
  )
  const [, certId] = claims.id.startsWith(`${issuer}/`)
    ? (/^\/verify\/(CERT-[0-9A-Z]{16,64})$/.exec(claims.id.slice(issuer.length)) ?? [])
    : []
  if (certId === undefined)
    throw new Refusal('malformed', 'The id of the certificate is not an address of the issuer.')
  if (await isRevoked(statusPlaceOf(claims, issuer), statusList, options))
    throw new Refusal('revoked', 'The certificate was revoked or superseded.')
  const {
    id,
    display_name: displayName,
    full_name: fullName = null,
    trust_tier: trustTier,
  } = claims.credentialSubject
  const ducklingId = id.slice('urn:beak:'.length)
  return {
    certId,
    ducklingId,
    displayName,
    fullName,
    trustTier,
    issuedAt: new Date(claims.validFrom),
    issuer,
    kid,
  }
}

/** Returns where the status is. Only a list of the issuer is read, so a certificate cannot make the verifier call another host. */
function statusPlaceOf({ credentialStatus: status }: Certificate, issuer: string): StatusPlace {
  const { statusListCredential: url, statusListIndex: index } = status
  const isOwn =
    url.startsWith(`${issuer}/`) && /^\/\.well-known\/status-list\/\d{1,5}$/.test(url.slice(issuer.length))
  if (!isOwn || status.id !== `${url}#${index}`)
    throw new Refusal('malformed', 'The certificate names a status list that is not of its issuer.')
  return { url, bit: Number(index) }
}
