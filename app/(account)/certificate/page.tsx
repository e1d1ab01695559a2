import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/read'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { FocusTarget } from '@/components/focus-target'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { ButtonLink, buttonClass } from '@/components/ui/button'
import { SubmitButton } from '@/components/ui/form'
import { PrintButton } from '@/components/ui/print-button'
import { Empty, Notice, PageHead } from '@/components/ui/surface'
import { reaches } from '@/lib/kernel/tier'
import { issueCertificate } from './actions'
import { OwnCertificate } from './own-certificate'
import { BadgeSection, CredentialSection, EarlierCertificates, RevokeSection } from './parts'

export const metadata: Metadata = { title: 'Birth certificate', robots: { index: false } }

type Certificate = ResponseOf<'GET /beak/cert/list'>['items'][number]

export default withProblemPage(async function CertificatePage() {
  const viewer = await requireViewer('/certificate')
  const { items } = await read('GET /beak/cert/list', { query: { limit: '51' } })
  const [certificate, ...earlier] = items
  return (
    <>
      <div className="no-print">
        <PageHead
          title="Birth certificate"
          lead="Shows who you are and how you are confirmed. Anyone can check it, even offline."
        />
      </div>
      <Announcements>
        {certificate === undefined ? (
          <NoCertificate tier={viewer.trust_tier} />
        ) : (
          <NewestCertificate certificate={certificate} earlier={earlier} viewer={viewer} />
        )}
      </Announcements>
    </>
  )
})

function NoCertificate({ tier }: { tier: Viewer['trust_tier'] }) {
  if (tier === 'T0')
    return (
      <Empty
        title="Confirm your email first"
        action={
          <ButtonLink kind="primary" href="/security#confirm-email">
            Confirm my email
          </ButtonLink>
        }
      >
        You can issue a certificate from tier T1. To get there, enter the six-digit code that we sent to your
        email.
      </Empty>
    )
  return (
    <Empty
      title="No certificate yet"
      action={
        <FocusTarget id="issue">
          <IssueForm label="Issue my certificate" />
        </FocusTarget>
      }
    >
      It will show that you are at tier {tier}. When you reach a higher tier, you can issue a new one.
    </Empty>
  )
}

function IssueForm({ label }: { label: string }) {
  return (
    <AnnouncedForm action={issueCertificate} label={label}>
      <SubmitButton>{label}</SubmitButton>
    </AnnouncedForm>
  )
}

interface NewestCertificateProps {
  certificate: Certificate
  earlier: Certificate[]
  viewer: Viewer
}

function NewestCertificate({ certificate, earlier, viewer }: NewestCertificateProps) {
  const isActive = certificate.status === 'active'
  return (
    <>
      <OwnCertificate certificate={certificate} handle={viewer.handle} />
      <div className="no-print mt-6 grid gap-8">
        {isActive ? <Actions certificate={certificate} /> : <Revoked certificate={certificate} />}
        {isActive && !reaches(certificate.tier, viewer.trust_tier) ? (
          <HigherTierNotice certificate={certificate} tier={viewer.trust_tier} />
        ) : null}
        <div>
          {isActive ? (
            <>
              <CredentialSection />
              <BadgeSection certId={certificate.cert_id} verifyUrl={certificate.verify_url} />
            </>
          ) : null}
          <EarlierCertificates certificates={earlier} />
          {isActive ? <RevokeSection /> : null}
        </div>
      </div>
    </>
  )
}

function Actions({ certificate }: { certificate: Certificate }) {
  return (
    <div className="flex flex-wrap gap-3">
      <PrintButton>Print</PrintButton>
      {/* An ordinary link: the router cannot fetch a download. */}
      <a href={withBasePath('/api/credential')} className={buttonClass()}>
        <Download aria-hidden="true" size={16} />
        Download credential
      </a>
      <ButtonLink kind="quiet" href={`/verify/${certificate.cert_id}`}>
        View public certificate
      </ButtonLink>
    </div>
  )
}

function HigherTierNotice({ certificate, tier }: { certificate: Certificate; tier: Viewer['trust_tier'] }) {
  return (
    <Notice title={`You're now at ${tier}`}>
      <p className="mb-4">
        This certificate still shows {certificate.tier}. Issue a new one to replace it. This one is then
        marked as superseded.
      </p>
      <IssueForm label={`Issue a new one at ${tier}`} />
    </Notice>
  )
}

function Revoked({ certificate }: { certificate: Certificate }) {
  return (
    <div className="grid gap-5">
      {certificate.revocation_reason ? (
        <p className="max-w-2xl wrap-anywhere">
          <span className="text-soft">Your reason (only you can see it): </span>
          {certificate.revocation_reason}
        </p>
      ) : null}
      <p>This certificate is no longer valid. You can issue a new one, with a new number.</p>
      <IssueForm label="Issue a new certificate" />
    </div>
  )
}
