import type { Metadata } from 'next'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/answer-not-found'
import { type Check, checkCertificate, type Verification } from '@/app/_web/certificate-check'
import { Certificate } from '@/components/certificate'
import { Link } from '@/components/ui/link'
import { PrintButton } from '@/components/ui/print-button'
import { Facts } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { Verdict, type VerdictKind } from '@/components/verdict'
import { config } from '@/lib/kernel/config'
import { Unchecked } from '../../unchecked'
import { VerifyField } from '../verify-field'
import { decodeCredential } from './credential'
import NoSuchCertificate from './not-found'
import { OtherChecks } from './other-checks'
import './print.css'
import { isolated, personName } from '@/lib/kernel/text/person-name'

interface PageProps {
  params: Promise<{ id: string }>
}

type Found = Extract<Check, { certificate: Verification }>

const titles: Record<Found['state'], string> = {
  valid: 'This certificate is valid.',
  revoked: 'This certificate was revoked.',
  superseded: 'This certificate was superseded.',
}
const stateWords: Record<Found['state'], string> = {
  valid: 'Valid',
  revoked: 'Revoked',
  superseded: 'Superseded',
}
const kinds: Record<Found['state'], VerdictKind> = { valid: 'yes', revoked: 'no', superseded: 'other' }

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: PageProps): Promise<Metadata> {
  const { id } = await params
  const check = await checkCertificate(id)
  // A search engine would show an outdated state.
  const robots = { index: false }
  if (!('certificate' in check))
    return { title: check.state === 'unchecked' ? 'Certificate not checked' : 'No such certificate', robots }
  const name = isolated(check.certificate.issued_name)
  const title = `Birth certificate of ${name}`
  // Other sites keep the description for days, so it does not contain the state.
  const description = `Open this page to check the birth certificate of ${name}.`
  return {
    title,
    description,
    robots,
    openGraph: { title, description, type: 'website', siteName: 'Beak', url: `/verify/${id}` },
    twitter: { card: 'summary_large_image', title, description },
  }
})

/** Shows anyone whether a certificate is valid right now, on screen and on paper. */
export default withProblemPage(async function CertificateCheckPage({ params }: PageProps) {
  const { id } = await params
  const check = await checkCertificate(id)
  if ('certificate' in check) return <CheckedCertificate check={check} />
  if (check.state !== 'unchecked') {
    answerNotFound()
    return <NoSuchCertificate />
  }
  return (
    <div className="mx-auto grid max-w-4xl gap-10">
      <Unchecked subject="certificate" id={id} isLimited={check.isLimited} retryAfter={check.retryAfter} />
      <VerifyField given={id} />
    </div>
  )
})

function CheckedCertificate({ check: { state, certificate } }: { check: Found }) {
  const subject = decodeCredential(certificate.credential)
  const url = `${config().baseUrl}/verify/${certificate.cert_id}`
  return (
    <div className="mx-auto grid max-w-4xl gap-8 print:gap-5">
      <Verdict kind={kinds[state]} title={titles[state]}>
        <p>{explain(state, certificate)}</p>
        <p className="mt-1 text-sm">
          Checked <Time at={certificate.checked_at} />.
        </p>
      </Verdict>
      <Certificate
        certId={certificate.cert_id}
        ducklingId={subject.ducklingId}
        name={certificate.issued_name}
        handle={certificate.handle}
        tier={certificate.tier}
        issuedAt={certificate.issued_at}
        status={state === 'valid' ? 'active' : state}
        revokedAt={certificate.revoked_at}
        verifyUrl={url}
      />
      <CertificateDetails certificate={certificate} state={state} ducklingId={subject.ducklingId} />
      <div className="no-print">
        <PrintButton>Print</PrintButton>
      </div>
      <p className="hidden text-sm print:block">
        This paper shows the state when it was printed. To check the certificate now, scan the code or open{' '}
        <span className="font-mono wrap-anywhere">{url}</span>.
      </p>
      <OtherChecks certificate={certificate} claims={subject.claims} baseUrl={config().baseUrl} />
    </div>
  )
}

function explain(state: Found['state'], { issued_name, tier, current_tier: now }: Verification) {
  const name = isolated(issued_name)
  if (state === 'revoked')
    return `${name} held it, but it is no longer valid. Don't rely on it. Only ${name} can see why it was revoked.`
  if (state === 'superseded')
    return `${name} has a newer certificate. Ask for that one, and don't rely on this one.`
  return tier === now
    ? `It belongs to ${name}, at trust tier ${tier}.`
    : `It belongs to ${name}. It was issued at trust tier ${tier}; today ${name} is at ${now}.`
}

/** The name at the issue, and the present name if it is another one. */
function OwnerName({ issued_name: issued, ...present }: Verification) {
  const name = personName(present)
  return (
    <>
      <bdi>{issued}</bdi>
      {name === issued ? null : (
        <>
          {' '}
          (now <bdi>{name}</bdi>)
        </>
      )}
    </>
  )
}

interface CertificateDetailsProps {
  certificate: Verification
  state: Found['state']
  ducklingId: string
}

function CertificateDetails({ certificate, state, ducklingId }: CertificateDetailsProps) {
  const { revoked_at: endedAt, handle } = certificate
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">Details</h2>
      <div className="mt-5 print:mt-3">
        <Facts
          facts={[
            { name: 'State', value: <strong>{stateWords[state]}</strong> },
            { name: 'Owner', value: <OwnerName {...certificate} /> },
            ...(handle === undefined
              ? []
              : [
                  {
                    name: 'Handle',
                    value: (
                      <Link
                        href={`/@${handle}`}
                        className="inline-flex min-h-6 items-center text-accent underline"
                      >
                        @{handle}
                      </Link>
                    ),
                  },
                ]),
            { name: 'Duckling', value: <code>{ducklingId}</code> },
            { name: 'Tier when issued', value: certificate.tier },
            { name: 'Tier now', value: certificate.current_tier },
            { name: 'Issued', value: <Time at={certificate.issued_at} /> },
            ...(endedAt === null
              ? []
              : [{ name: state === 'superseded' ? 'Superseded' : 'Revoked', value: <Time at={endedAt} /> }]),
            { name: 'Checked', value: <Time at={certificate.checked_at} /> },
            { name: 'Number', value: <code>{certificate.cert_id}</code> },
          ]}
        />
      </div>
    </section>
  )
}
