/** Shows and checks birth certificates. The verifier is loaded when a command needs it, so that the other commands start faster. */
import { existsSync } from 'node:fs'
import type { KeySet } from '../../verify'
import { command } from '../command'
import { timeText } from '../duration'
import { Exit, exitCodes, usageFault } from '../exit'
import { readJson, readText } from '../files'
import type { Session } from '../session'
import { jwks, keysAt, notValidForTest, refuse } from '../trust'

export const certShow = command({
  name: 'cert show',
  summary: 'Show your birth certificate.',
  async run({ session }) {
    const beak = await session.beak('getCertificate')
    const certificate = await beak.getCertificate()
    session.output.facts(
      certificate,
      `Birth certificate of ${certificate.issued_name ?? certificate.display_name}`,
      {
        id: certificate.cert_id,
        status: certificate.status,
        tier: certificate.tier,
        issued: timeText(certificate.issued_at),
        revoked: timeText(certificate.revoked_at),
        check: certificate.verify_url,
      },
    )
  },
})

export const certVerify = command({
  name: 'cert verify',
  summary: 'Check a birth certificate.',
  details:
    'By its id, the service tells the present state. A credential (a JWT) is checked here: signature, times and status list of the service.',
  args: [{ name: 'certificate', summary: 'CERT-…, a credential, a file with one, or - for standard input.' }],
  options: { jwks },
  async run({ options, args: [given = ''], session }) {
    if (given.startsWith('CERT-')) return verifyById(session, given)
    const credential = await credentialOf(given)
    const issuer = await session.url()
    const keys =
      options.jwks === undefined ? await keysAt(issuer) : ((await readJson(options.jwks)) as KeySet)
    const { verifyCertificate } = await import('@beak/proofs/certificate')
    const verdict = await verifyCertificate(credential, { issuer, keys, allowTest: session.allowTest })
    if (!verdict.ok) {
      const { reason, message } = verdict.fault
      if (reason === 'keys_unavailable' || reason === 'status_unavailable')
        throw new Exit(exitCodes.unreachable, message)
      refuse(session, verdict, [message])
    }
    const { facts } = verdict
    session.output.facts(verdict, 'The certificate is valid', {
      id: facts.certId,
      name: facts.fullName ?? facts.displayName,
      duckling: facts.ducklingId,
      tier: facts.trustTier,
      issued: timeText(facts.issuedAt.toISOString()),
      'signed by': facts.issuer,
    })
  },
})

/** Returns the JWT in a text, or in the member `credential` of a JSON document. */
async function credentialOf(given: string): Promise<string> {
  const text = (given === '-' || existsSync(given) ? await readText(given) : given).trim()
  if (!text.startsWith('{')) return text
  const { credential } = JSON.parse(text) as { credential?: unknown }
  if (typeof credential !== 'string') throw usageFault('The file has no member "credential".')
  return credential
}

async function verifyById(session: Session, cert_id: string): Promise<void> {
  const beak = await session.anonymous()
  const found = await beak.verifyCertificate({ cert_id }).catch(notValidForTest)
  session.output.facts(found, `The certificate is ${found.valid ? 'valid' : found.status}`, {
    id: found.cert_id,
    name: found.issued_name ?? found.display_name,
    tier: found.tier,
    issued: timeText(found.issued_at),
    revoked: timeText(found.revoked_at),
  })
  if (!found.valid) throw new Exit(exitCodes.notValid, `The certificate is ${found.status}.`)
}
