import type { Metadata } from 'next'
import { ForExperts } from '@/app/_shell/for-experts'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { type Check, checkCertificate, type Verification } from '@/app/_web/certificate-check'
import { answerNotFound } from '@/app/_web/page-read'
import { Certificate } from '@/components/certificate'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { PrintButton } from '@/components/ui/print-button'
import { Facts } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { Verdict, type VerdictKind } from '@/components/verdict'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { tierLabel, tierWords } from '@/lib/kernel/text/tier-words'
import { Unchecked } from '../../unchecked'
import { VerifyField } from '../verify-field'
import { decodeCredential } from './credential'
import NoSuchCertificate from './not-found'
import { OtherChecks } from './other-checks'
import './print.css'
import { isolated, personName } from '@beak/decision/person-name'

interface PageProps {
  params: Promise<{ id: string }>
}

type Found = Extract<Check, { certificate: Verification }>

const titles: Record<Found['state'], string> = {
  get valid() {
    return m.verify_this_certificate_is_valid()
  },
  get revoked() {
    return m.verify_this_certificate_was_revoked()
  },
  get superseded() {
    return m.verify_this_certificate_was_superseded()
  },
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
    return {
      title:
        check.state === 'unchecked' ? m.verify_certificate_not_checked() : m.verify_no_such_certificate(),
      robots,
    }
  const name = isolated(check.certificate.issued_name)
  const title = m.verify_birth_certificate_of_name({ name })
  // Other sites keep the description for days, so it does not contain the state.
  const description = m.verify_certificate_page_description({ name })
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
          <Sentence of={m.verify_checked} parts={{ time: () => <Time at={certificate.checked_at} /> }} />
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
        <PrintButton>{m.verify_print()}</PrintButton>
      </div>
      <p className="hidden text-sm print:block">
        <Sentence
          of={m.verify_print_state_note}
          with={{ url }}
          parts={{
            span: (children) => (
              <span translate="no" className="font-mono wrap-anywhere">
                {children}
              </span>
            ),
          }}
        />
      </p>
      <ForExperts hint={m.verify_experts_hint()}>
        <OtherChecks certificate={certificate} claims={subject.claims} baseUrl={config().baseUrl} />
      </ForExperts>
    </div>
  )
}

function explain(state: Found['state'], { issued_name: name, tier, current_tier: now }: Verification) {
  if (state === 'revoked') return <Sentence of={m.verify_name_held_it_but_it_is} with={{ name }} />
  if (state === 'superseded')
    return <Sentence of={m.verify_name_has_newer_certificate_ask_for} with={{ name }} />
  return tier === now ? (
    <Sentence of={m.verify_belongs_confirmed} with={{ name, tier: tierWords(tier) }} />
  ) : (
    <Sentence
      of={m.verify_belongs_confirmed_later}
      with={{ name, tier: tierWords(tier), now: tierWords(now) }}
    />
  )
}

/** The name at the issue, and the present one. */
function OwnerName({ issued_name: issued, ...present }: Verification) {
  return (
    <>
      <bdi translate="no">{issued}</bdi>{' '}
      <Sentence of={m.verify_now_name} with={{ name: personName(present) }} />
    </>
  )
}

/** Leads to a new request to the owner, with the handle or, without a public one, with the id. */
function HowToAsk({ id }: { id: string }) {
  return (
    <Link
      href={`/pecks/new?to=${encodeURIComponent(id)}`}
      className="inline-flex min-h-6 items-center text-accent underline"
    >
      {m.verify_send_a_request()}
    </Link>
  )
}

interface CertificateDetailsProps {
  certificate: Verification
  state: Found['state']
  ducklingId: string
}

function CertificateDetails({ certificate, state, ducklingId }: CertificateDetailsProps) {
  const { handle } = certificate
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">{m.verify_details()}</h2>
      <div className="mt-5 print:mt-3">
        <Facts
          facts={[
            ...(personName(certificate) === certificate.issued_name
              ? []
              : [{ name: m.verify_fact_owner(), value: <OwnerName {...certificate} /> }]),
            ...(state === 'valid'
              ? [
                  {
                    name: m.verify_fact_how_to_ask(),
                    value: <HowToAsk id={handle === undefined ? ducklingId : `@${handle}`} />,
                  },
                ]
              : []),
            { name: m.verify_fact_duckling(), value: <code translate="no">{ducklingId}</code> },
            { name: m.verify_fact_tier_now(), value: tierLabel(certificate.current_tier) },
          ]}
        />
      </div>
    </section>
  )
}
