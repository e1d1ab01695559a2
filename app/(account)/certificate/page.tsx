import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { api } from '@/app/_web/api'
import { withBasePath } from '@/app/_web/base-path'
import { PageProblem } from '@/app/_web/page-problem'
import { read } from '@/app/_web/read'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { Certificate } from '@/components/certificate'
import { withProblemPage } from '@/components/problem-page'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { ButtonLink, buttonClass } from '@/components/ui/button'
import { SubmitButton } from '@/components/ui/form'
import { PrintButton } from '@/components/ui/print-button'
import { Empty, Notice, PageHead } from '@/components/ui/surface'
import { reaches } from '@/lib/kernel/context'
import { issueCertificate } from './actions'
import { Badge, Earlier, Offline, Revoke } from './parts'

export const metadata: Metadata = { title: 'Birth certificate', robots: { index: false } }

type Held = ResponseOf<'GET /beak/cert/view'>

export default withProblemPage(async function CertificatePage() {
  const viewer = await requireViewer('/certificate')
  const held = await readHeld()
  const [, ...earlier] = (await read('GET /beak/cert/list', { query: { limit: '50' } })).items
  return (
    <>
      <div className="no-print">
        <PageHead
          title="Birth certificate"
          lead="Says who you are and how far you are confirmed. Anybody can check it, even offline."
        />
      </div>
      <Announcements>
        {held === null ? (
          <None tier={viewer.trust_tier} />
        ) : (
          <Own held={held} earlier={earlier} viewer={viewer} />
        )}
      </Announcements>
    </>
  )
})

/** The newest certificate, or null while none was ever issued. */
async function readHeld(): Promise<Held | null> {
  const result = await api('GET /beak/cert/view')
  if (result.ok) return result.data
  if (result.problem.status === 404) return null
  throw new PageProblem(result.problem)
}

function None({ tier }: { tier: Viewer['trust_tier'] }) {
  if (tier === 'T0')
    return (
      <Empty
        title="Confirm your e-mail first"
        action={
          <ButtonLink kind="primary" href="/security#tier">
            Confirm my e-mail
          </ButtonLink>
        }
      >
        A certificate says that somebody stands behind a name, so it begins at tier T1. The six digits we
        mailed you are all it takes.
      </Empty>
    )
  return (
    <Empty title="You have none yet" action={<Issue label="Issue my certificate" />}>
      It will say that you stand at tier {tier}. When you rise, you can issue it again.
    </Empty>
  )
}

function Issue({ label }: { label: string }) {
  return (
    <AnnouncedForm action={issueCertificate} label={label}>
      <SubmitButton>{label}</SubmitButton>
    </AnnouncedForm>
  )
}

function Own({ held, earlier, viewer }: { held: Held; earlier: Held[]; viewer: Viewer }) {
  const isActive = held.status === 'active'
  return (
    <>
      <Certificate
        certId={held.cert_id}
        ducklingId={held.duckling_id}
        displayName={held.display_name}
        tier={held.tier}
        issuedAt={held.issued_at}
        status={held.status}
        revokedAt={held.revoked_at}
        verifyUrl={held.verify_url}
      />
      <div className="no-print mt-6 grid gap-8">
        {isActive ? <Tools held={held} /> : <Ended held={held} />}
        {isActive && !reaches(held.tier, viewer.trust_tier) ? (
          <Risen held={held} tier={viewer.trust_tier} />
        ) : null}
        <div>
          {isActive ? (
            <>
              <Offline />
              <Badge certId={held.cert_id} verifyUrl={held.verify_url} />
            </>
          ) : null}
          <Earlier certificates={earlier} />
          {isActive ? <Revoke /> : null}
        </div>
      </div>
    </>
  )
}

function Tools({ held }: { held: Held }) {
  return (
    <div className="flex flex-wrap gap-3">
      <PrintButton>Print</PrintButton>
      {/* A download: no page for the router to fetch. */}
      <a href={withBasePath('/api/credential')} className={buttonClass()}>
        <Download aria-hidden="true" size={16} />
        Download the credential
      </a>
      <ButtonLink kind="quiet" href={`/verify/${held.cert_id}`}>
        See what others see
      </ButtonLink>
    </div>
  )
}

function Risen({ held, tier }: { held: Held; tier: Viewer['trust_tier'] }) {
  return (
    <Notice title={`You stand at ${tier} now`}>
      <p className="mb-4">
        This certificate still says {held.tier}. A new one takes its place; this one is then marked as
        superseded.
      </p>
      <Issue label={`Issue it at ${tier}`} />
    </Notice>
  )
}

function Ended({ held }: { held: Held }) {
  return (
    <div className="grid gap-5">
      {held.revocation_reason ? (
        <p className="max-w-2xl wrap-anywhere">
          <span className="text-soft">Your reason, which only you see: </span>
          {held.revocation_reason}
        </p>
      ) : null}
      <p>It holds no longer. You can issue a new one, with a new number.</p>
      <Issue label="Issue a new certificate" />
    </div>
  )
}
