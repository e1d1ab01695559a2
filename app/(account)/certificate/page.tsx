import type { Metadata } from 'next'
import { BuildersOnly } from '@/app/_shell/builders-only'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { FocusTarget } from '@/components/focus-target'
import { QrCode } from '@/components/qr-code'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { ButtonLink } from '@/components/ui/button'
import { SubmitButton } from '@/components/ui/form'
import { PrintButton } from '@/components/ui/print-button'
import { Empty, Notice, PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { reaches } from '@/lib/kernel/request/tier'
import { tierWords } from '@/lib/kernel/text/tier-words'
import { LinkToShare } from '../invitations/made-link'
import { issueCertificate } from './actions'
import { OwnCertificate } from './own-certificate'
import { BadgeSection, CredentialSection, EarlierCertificates, RevokeSection } from './parts'

export const generateMetadata = (): Metadata => ({
  title: m.certificate_birth_certificate(),
  robots: { index: false },
})

type Certificate = ResponseOf<'GET /beak/cert/list'>['items'][number]

export default withProblemPage(async function CertificatePage() {
  const viewer = await requireViewer('/certificate')
  const { items } = await read('GET /beak/cert/list', { query: { limit: '51' } })
  const [certificate, ...earlier] = items
  return (
    <>
      <div className="no-print">
        <PageHead title={m.certificate_birth_certificate()} lead={m.certificate_page_intro()} />
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
        title={m.certificate_confirm_your_email_first()}
        action={
          <ButtonLink kind="primary" href="/security#confirm-email">
            {m.certificate_confirm_my_email()}
          </ButtonLink>
        }
      >
        {m.certificate_email_needed_note()}
      </Empty>
    )
  return (
    <Empty
      title={m.certificate_no_certificate_yet()}
      action={
        <FocusTarget id="issue">
          <IssueForm label={m.certificate_issue_my_certificate()} />
        </FocusTarget>
      }
    >
      {m.certificate_issue_tier_note({ tier: tierWords(tier) })}
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
        {isActive ? <Share certificate={certificate} /> : <Revoked certificate={certificate} />}
        {isActive && !reaches(certificate.tier, viewer.trust_tier) ? (
          <HigherTierNotice certificate={certificate} tier={viewer.trust_tier} />
        ) : null}
        <div>
          {isActive ? (
            <BuildersOnly>
              <CredentialSection certId={certificate.cert_id} />
              <BadgeSection certId={certificate.cert_id} verifyUrl={certificate.verify_url} />
            </BuildersOnly>
          ) : null}
          <EarlierCertificates certificates={earlier} />
          {isActive ? <RevokeSection /> : null}
        </div>
      </div>
    </>
  )
}

/** What most people want: show it to somebody. */
function Share({ certificate: { cert_id: id, verify_url: url } }: { certificate: Certificate }) {
  return (
    <section aria-labelledby="share" className="grid max-w-xl gap-4">
      <h2 id="share" className="text-lg leading-snug">
        {m.certificate_share()}
      </h2>
      <LinkToShare url={url} />
      <details>
        <summary className="inline-flex min-h-11 items-center text-sm underline decoration-line hover:decoration-ink">
          {m.invitations_qr_show()}
        </summary>
        <QrCode text={url} label={m.common_certificate_qr_label()} size={168} />
      </details>
      <div className="flex flex-wrap gap-3">
        <PrintButton>{m.certificate_print()}</PrintButton>
        <ButtonLink kind="quiet" href={`/verify/${id}`}>
          {m.certificate_view_public_certificate()}
        </ButtonLink>
      </div>
    </section>
  )
}

function HigherTierNotice({ certificate, tier }: { certificate: Certificate; tier: Viewer['trust_tier'] }) {
  return (
    <Notice title={m.certificate_confirmed_more({ tier: tierWords(tier) })}>
      <p className="mb-4">{m.certificate_still_shows({ tier: tierWords(certificate.tier) })}</p>
      <IssueForm label={m.certificate_issue_a_new_certificate()} />
    </Notice>
  )
}

function Revoked({ certificate }: { certificate: Certificate }) {
  return (
    <div className="grid gap-5">
      {certificate.revocation_reason ? (
        <p className="max-w-2xl wrap-anywhere">
          <span className="text-soft">{m.certificate_revoke_reason_label()} </span>
          {certificate.revocation_reason}
        </p>
      ) : null}
      <p>{m.certificate_revoked_reissue_note()}</p>
      <IssueForm label={m.certificate_issue_a_new_certificate()} />
    </div>
  )
}
