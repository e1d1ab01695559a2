import type { Metadata } from 'next'
import type { z } from 'zod'
import { GET as view } from '@/app/beak/cert/view/route'
import { Certificate } from '@/components/certificate'
import { ButtonLink, buttonClass } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { CopyBlock } from '@/components/ui/copy'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { Card, Empty, Notice, PageHead, Section } from '@/components/ui/surface'
import type { Certificate as CertificateWire } from '@/lib/certs/schema'
import { config } from '@/lib/kernel/config'
import { reaches } from '@/lib/kernel/context'
import { callApi } from '@/lib/web/call-api'
import { PageProblem, requireViewer, type Viewer } from '@/lib/web/viewer'
import { issueCertificate, revokeCertificate } from './actions'

export const metadata: Metadata = { title: 'Birth certificate', robots: { index: false } }

type Held = z.output<typeof CertificateWire>

export default async function CertificatePage() {
  const viewer = await requireViewer('/certificate')
  const held = await readHeld()
  return (
    <>
      <PageHead
        title="Birth certificate"
        lead="Says who you are and how far you are confirmed. Anybody can check it, even offline."
      />
      {held === null ? (
        <None tier={viewer.trust_tier} />
      ) : (
        <div className="grid gap-10">
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
          {held.status === 'active' ? <Active held={held} viewer={viewer} /> : <Ended held={held} />}
        </div>
      )}
    </>
  )
}

/** The newest certificate, or null while none was ever issued. */
async function readHeld(): Promise<Held | null> {
  const result = await callApi(view, 'GET')
  if (result.ok) return result.data
  if (result.problem.status === 404) return null
  throw new PageProblem(result.problem)
}

function None({ tier }: { tier: Viewer['trust_tier'] }) {
  if (tier === 'T0')
    return (
      <Empty title="Confirm your e-mail first">
        A certificate needs tier T1. When you signed up we mailed you six digits: enter them, then come back.
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
    <ActionForm action={issueCertificate} label={label}>
      <SubmitButton>{label}</SubmitButton>
    </ActionForm>
  )
}

function Active({ held, viewer }: { held: Held; viewer: Viewer }) {
  const hasRisen = !reaches(held.tier, viewer.trust_tier)
  return (
    <>
      {hasRisen ? (
        <Notice title={`You stand at ${viewer.trust_tier} now`}>
          <p className="mb-4">
            This certificate still says {held.tier}. A new one takes its place; this one is then marked as
            superseded.
          </p>
          <Issue label={`Issue it at ${viewer.trust_tier}`} />
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-3">
        <ButtonLink href={`/verify/${held.cert_id}`}>See and print the public page</ButtonLink>
        {/* A download: no page for the router to fetch. */}
        <a href="/api/credential" download className={buttonClass('plain')}>
          Download the credential
        </a>
      </div>
      <Section
        id="badge"
        title="Badge"
        lead="Put it on a page of yours. It shows the certificate's state at that moment and leads to its check."
      >
        <CopyBlock label="HTML" text={badgeCode(held)} copyLabel="Copy the code" />
      </Section>
      <Section
        id="revoke"
        title="Revoke"
        lead="When it should not be believed any longer. Everybody who checks it will see so."
      >
        <Revoke />
      </Section>
    </>
  )
}

/** Ids and addresses of ours hold nothing that HTML would read as markup. */
function badgeCode({ verify_url, cert_id }: Held): string {
  return `<a href="${verify_url}"><img src="${config().baseUrl}/badge/${cert_id}.svg" alt="Beak birth certificate ${cert_id}"></a>`
}

function Revoke() {
  return (
    <Confirm
      trigger="Revoke this certificate"
      title="Revoke this certificate?"
      text="It stays revoked for good. You can issue a new one afterwards, with a new number."
    >
      <ActionForm action={revokeCertificate} label="Revoke this certificate">
        <TextField
          label="Reason"
          name="reason"
          maxLength={280}
          autoComplete="off"
          hint="Only you see it, here and in your audit log."
        />
        <SubmitButton kind="danger">Revoke for good</SubmitButton>
      </ActionForm>
    </Confirm>
  )
}

function Ended({ held }: { held: Held }) {
  return (
    <Card>
      {held.revocation_reason ? (
        <p className="mb-5 wrap-anywhere">
          <span className="text-soft">Your reason: </span>
          {held.revocation_reason}
        </p>
      ) : null}
      <p className="mb-5">This certificate holds no longer. You can issue a new one, with a new number.</p>
      <Issue label="Issue a new certificate" />
    </Card>
  )
}
