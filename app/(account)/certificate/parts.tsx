import Link from 'next/link'
import { withBasePath } from '@/app/_web/base-path'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { CopyBlock } from '@/components/ui/copy'
import { SubmitButton, TextField } from '@/components/ui/form'
import { SplitSection } from '@/components/ui/split-section'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { config } from '@/lib/kernel/config'
import { revokeCertificate } from './actions'

/** What the downloaded credential is good for. */
export function Offline() {
  return (
    <SplitSection id="credential" title="The credential" lead="The same certificate, for machines.">
      <p className="text-sm">
        A W3C Verifiable Credential, signed by us. Whoever has it checks it without asking: the signature
        against{' '}
        <a href={withBasePath('/.well-known/jwks.json')} className="underline">
          our public keys
        </a>
        , and whether you have revoked it against the status list it names.
      </p>
    </SplitSection>
  )
}

interface BadgeProps {
  certId: string
  verifyUrl: string
}

export function Badge({ certId, verifyUrl }: BadgeProps) {
  return (
    <SplitSection
      id="badge"
      title="Badge"
      lead="For a page of yours. It shows the certificate's state at that moment and leads to its check."
    >
      <div className="grid gap-5">
        {/* As it stands on pages of others: in their layout, not optimised by ours. */}
        <div className="overflow-hidden rounded-card bg-sunken px-5 py-7 text-sm">
          {/* biome-ignore lint/performance/noImgElement: a live SVG of our own, which no optimiser should keep */}
          <img
            src={withBasePath(`/badge/${certId}.svg`)}
            alt={`Beak birth certificate ${certId}`}
            height={48}
            className="h-12 w-auto max-w-full"
          />
        </div>
        <CopyBlock label="HTML" text={badgeCode({ certId, verifyUrl })} copyLabel="Copy the code" />
      </div>
    </SplitSection>
  )
}

/** Ids and addresses of ours hold nothing that HTML would read as markup. */
function badgeCode({ certId, verifyUrl }: BadgeProps): string {
  return `<a href="${verifyUrl}"><img src="${config().baseUrl}/badge/${certId}.svg" alt="Beak birth certificate ${certId}"></a>`
}

/** What was held before: whoever still shows one of these finds its number here. */
export function Earlier({ certificates }: { certificates: ResponseOf<'GET /beak/cert/list'>['items'] }) {
  if (certificates.length === 0) return null
  return (
    <SplitSection
      id="earlier"
      title="Earlier ones"
      lead="They no longer hold. Their numbers are never given again."
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
              At {tier}, <Time at={issued_at} dateOnly />
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

export function Revoke() {
  return (
    <SplitSection
      id="revoke"
      title="Revoke"
      lead="When it should not be believed any longer. Everybody who checks it will see so."
    >
      <Confirm
        trigger="Revoke this certificate"
        title="Revoke this certificate?"
        text="It stays revoked for good. You can issue a new one afterwards, with a new number."
      >
        <AnnouncedForm action={revokeCertificate} label="Revoke this certificate">
          <TextField
            label="Reason"
            name="reason"
            maxLength={280}
            autoComplete="off"
            hint="Only you see it, here and in your audit log."
          />
          <SubmitButton kind="danger">Revoke for good</SubmitButton>
        </AnnouncedForm>
      </Confirm>
    </SplitSection>
  )
}
