import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { CopyBlock } from '@/components/ui/copy'
import { SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { SplitSection } from '@/components/ui/split-section'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { config } from '@/lib/kernel/config'
import { revokeCertificate } from './actions'

/** What the downloaded credential is for. */
export function CredentialSection() {
  return (
    <SplitSection id="credential" title="Credential" lead="The same certificate, for programs.">
      <p className="text-sm">
        A W3C Verifiable Credential, signed by us. Programs check its signature with{' '}
        <a href={withBasePath('/.well-known/jwks.json')} className="underline">
          our public keys
        </a>
        . Its status list shows whether you have revoked it.
      </p>
    </SplitSection>
  )
}

interface BadgeProps {
  certId: string
  verifyUrl: string
}

export function BadgeSection({ certId, verifyUrl }: BadgeProps) {
  return (
    <SplitSection
      id="badge"
      title="Badge"
      lead="For your website. It shows the current state of your certificate and links to its public page."
    >
      <div className="grid gap-5">
        {/* Looks as it does on other websites: not optimised by Next. */}
        <div className="overflow-hidden rounded-card bg-sunken px-5 py-7 text-sm">
          {/* biome-ignore lint/performance/noImgElement: a live SVG, which an optimiser must not cache */}
          <img
            src={withBasePath(`/badge/${certId}.svg`)}
            alt={`Beak birth certificate ${certId}`}
            height={48}
            className="h-12 w-auto max-w-full"
          />
        </div>
        <CopyBlock label="HTML" text={badgeCode({ certId, verifyUrl })} copyLabel="Copy code" />
      </div>
    </SplitSection>
  )
}

/** Needs no HTML escaping: our ids and URLs contain no markup characters. */
function badgeCode({ certId, verifyUrl }: BadgeProps): string {
  return `<a href="${verifyUrl}"><img src="${config().baseUrl}/badge/${certId}.svg" alt="Beak birth certificate ${certId}"></a>`
}

/** The viewer's earlier certificates. */
export function EarlierCertificates({
  certificates,
}: {
  certificates: ResponseOf<'GET /beak/cert/list'>['items']
}) {
  if (certificates.length === 0) return null
  return (
    <SplitSection
      id="earlier"
      title="Earlier certificates"
      lead="They are no longer valid. Their numbers are never used again."
    >
      <ul className="-mt-3 divide-y divide-line">
        {certificates.map(({ cert_id, status, tier, issued_at, revoked_at, revocation_reason }) => (
          <li key={cert_id} className="py-3.5 text-sm">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Link href={`/verify/${cert_id}`} className="font-mono text-xs wrap-anywhere underline">
                {cert_id}
              </Link>
              <Pill tone={status === 'revoked' ? 'bad' : 'neutral'}>
                {status === 'revoked' ? 'Revoked' : 'Superseded'}
              </Pill>
            </p>
            <p className="mt-1 text-soft wrap-anywhere">
              Tier {tier}, <Time at={issued_at} dateOnly />
              {revoked_at ? (
                <>
                  {' '}
                  to <Time at={revoked_at} dateOnly />
                </>
              ) : null}
              {revocation_reason ? `. ${revocation_reason}` : ''}
            </p>
          </li>
        ))}
      </ul>
    </SplitSection>
  )
}

export function RevokeSection() {
  return (
    <SplitSection
      id="revoke"
      title="Revoke"
      lead="Do this when nobody should trust the certificate any more. Everyone who checks it will see that it's revoked."
    >
      <Confirm
        trigger="Revoke this certificate"
        title="Revoke this certificate?"
        text="This can't be undone. You can issue a new certificate afterwards, with a new number."
      >
        <AnnouncedForm action={revokeCertificate} label="Revoke this certificate">
          <TextField
            label="Reason"
            name="reason"
            maxLength={280}
            autoComplete="off"
            hint="Only you can see it, here and in your audit log."
          />
          <SubmitButton kind="danger">Revoke permanently</SubmitButton>
        </AnnouncedForm>
      </Confirm>
    </SplitSection>
  )
}
