import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { type Check, checkCertificate, type Verification } from '@/app/_web/certificate-check'
import { Certificate } from '@/components/certificate'
import { withProblemPage, withProblemTitle } from '@/components/problem-page'
import { PrintButton } from '@/components/ui/print-button'
import { Facts } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { Verdict, type VerdictKind } from '@/components/verdict'
import { answerWith } from '@/lib/http/page-status'
import { config } from '@/lib/kernel/config'
import { VerifyForm } from '../verify-form'
import { decodeCredential } from './credential'
import { Elsewhere } from './elsewhere'
import NoSuchCertificate from './not-found'
import './print.css'

interface PageProps {
  params: Promise<{ id: string }>
}

type Found = Extract<Check, { certificate: Verification }>

const titles: Record<Found['state'], string> = {
  valid: 'This certificate is valid.',
  revoked: 'This certificate was revoked.',
  superseded: 'This certificate was superseded.',
}
const kinds: Record<Found['state'], VerdictKind> = { valid: 'yes', revoked: 'no', superseded: 'other' }

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: PageProps): Promise<Metadata> {
  const { id } = await params
  const check = await checkCertificate(id)
  // A search engine would keep showing what was true once.
  const robots = { index: false }
  if (!('certificate' in check))
    return { title: check.state === 'unchecked' ? 'Certificate not checked' : 'No such certificate', robots }
  const { display_name: name } = check.certificate
  const title = `Birth certificate of ${name}`
  // What is shared is shown for long: it says where to look, not what was found.
  const description = `See whether the birth certificate of ${name} holds at this moment.`
  return {
    title,
    description,
    robots,
    openGraph: { title, description, type: 'website', siteName: 'Beak', url: `/verify/${id}` },
    twitter: { card: 'summary_large_image', title, description },
  }
})

/** What a certificate is worth at this moment: for whoever was shown it, on screen and on paper. */
export default withProblemPage(async function CertificateCheckPage({ params }: PageProps) {
  const { id } = await params
  const check = await checkCertificate(id)
  if ('certificate' in check) return <Checked check={check} />
  if (check.state === 'unchecked') {
    answerWith(check.isLimited ? 429 : 503, check.retryAfter ?? undefined)
    return <Unchecked id={id} />
  }
  if (!answerWith(404)) notFound()
  return <NoSuchCertificate />
})

/** When the record cannot be read: no answer is no yes. */
function Unchecked({ id }: { id: string }) {
  return (
    <div className="mx-auto grid max-w-4xl gap-10">
      <Verdict kind="unsure" title="We could not check this certificate.">
        <p>
          That says nothing about it, so do not rely on it yet. Try again in a moment:{' '}
          <span className="font-mono text-sm wrap-anywhere">{id}</span>
        </p>
      </Verdict>
      <VerifyForm given={id} />
    </div>
  )
}

function Checked({ check: { state, certificate } }: { check: Found }) {
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
        displayName={certificate.display_name}
        tier={certificate.tier}
        issuedAt={certificate.issued_at}
        status={state === 'valid' ? 'active' : state}
        revokedAt={certificate.revoked_at}
        verifyUrl={url}
      />
      <WhatItSays certificate={certificate} state={state} ducklingId={subject.ducklingId} />
      <div className="no-print">
        <PrintButton>Print on one page</PrintButton>
      </div>
      <p className="hidden text-sm print:block">
        Paper keeps what was true when it was printed. To check it now, scan the code or open{' '}
        <span className="font-mono wrap-anywhere">{url}</span>.
      </p>
      <Elsewhere certificate={certificate} claims={subject.claims} baseUrl={config().baseUrl} />
    </div>
  )
}

function explain(state: Found['state'], { display_name: name, tier, current_tier: now }: Verification) {
  if (state === 'revoked')
    return `It was ${name}'s, but it holds no longer. Do not rely on it. Why it was revoked is known to its owner only.`
  if (state === 'superseded')
    return `${name} has a newer one in its place. Ask to be shown that, and do not rely on this one.`
  return tier === now
    ? `${name} holds it, at trust tier ${tier}.`
    : `${name} holds it. It was issued at trust tier ${tier}; today ${name} stands at ${now}.`
}

interface WhatItSaysProps {
  certificate: Verification
  state: Found['state']
  ducklingId: string
}

function WhatItSays({ certificate, state, ducklingId }: WhatItSaysProps) {
  const { revoked_at: endedAt } = certificate
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">What we know of it</h2>
      <div className="mt-5 print:mt-3">
        <Facts
          facts={[
            { name: 'State', value: <strong>{state}</strong> },
            { name: 'Held by', value: certificate.display_name },
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
