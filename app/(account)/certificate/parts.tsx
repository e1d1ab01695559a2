import { Download } from 'lucide'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { CheckItYourself } from '@/components/check-it-yourself'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { buttonClass } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { CopyBlock } from '@/components/ui/copy'
import { FoldedSection } from '@/components/ui/folded-section'
import { TextField } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { SplitSection } from '@/components/ui/split-section'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { tierLabel } from '@/lib/kernel/text/tier-words'
import { revokeCertificate } from './actions'

/** The same certificate for programs: the download, and how it is checked. */
export function CredentialSection({ certId }: { certId: string }) {
  return (
    <FoldedSection
      id="credential"
      title={m.certificate_for_programs()}
      state={m.certificate_the_same_certificate_for_programs()}
      lead={
        <Sentence
          of={m.certificate_credential_section_intro}
          parts={{
            a: (children) => (
              <a href={withBasePath('/.well-known/jwks.json')} className="underline">
                {children}
              </a>
            ),
          }}
        />
      }
    >
      {/* An ordinary link: the router cannot fetch a download. */}
      <a href={withBasePath('/api/credential')} className={buttonClass()}>
        <Icon of={Download} size={16} />
        {m.certificate_download_credential()}
      </a>
      <div className="mt-5">
        <CheckItYourself kind="certificate" subject={`${certId}.jwt`} />
      </div>
    </FoldedSection>
  )
}

interface BadgeProps {
  certId: string
  verifyUrl: string
}

export function BadgeSection({ certId, verifyUrl }: BadgeProps) {
  return (
    <FoldedSection
      id="badge"
      title={m.certificate_for_your_website()}
      state={m.certificate_badge()}
      lead={m.certificate_badge_section_intro()}
    >
      <div className="grid gap-5">
        {/* Looks as it does on other websites: not optimised by Next. */}
        <div className="overflow-hidden rounded-card bg-sunken px-5 py-7 text-sm">
          {/* biome-ignore lint/performance/noImgElement: a live SVG, which an optimiser must not cache */}
          <img
            src={withBasePath(`/badge/${certId}.svg`)}
            alt={m.certificate_beak_birth_certificate_certid({ certId })}
            height={48}
            className="h-12 w-auto max-w-full"
          />
        </div>
        <CopyBlock
          label="HTML"
          text={badgeCode({ certId, verifyUrl })}
          copyLabel={m.certificate_copy_code()}
        />
      </div>
    </FoldedSection>
  )
}

/** Needs no HTML escaping: our ids and URLs contain no markup characters. */
function badgeCode({ certId, verifyUrl }: BadgeProps): string {
  return `<a href="${verifyUrl}"><img src="${config().baseUrl}/badge/${certId}.svg" alt="Beak certificate ${certId}"></a>`
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
      title={m.certificate_earlier_certificates()}
      lead={m.certificate_earlier_section_intro()}
    >
      <ul className="-mt-3 divide-y divide-line">
        {certificates.map(({ cert_id, status, tier, issued_at, revoked_at, revocation_reason }) => (
          <li key={cert_id} className="py-3.5 text-sm">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Link href={`/verify/${cert_id}`} className="font-mono text-xs wrap-anywhere underline">
                <bdi translate="no">{cert_id}</bdi>
              </Link>
              <Pill tone={status === 'revoked' ? 'bad' : 'neutral'}>
                {status === 'revoked' ? m.certificate_revoked() : m.certificate_superseded()}
              </Pill>
            </p>
            <p className="mt-1 text-soft wrap-anywhere">
              <Lifetime {...{ tier, issued_at, revoked_at }} />
              {revocation_reason ? `. ${revocation_reason}` : null}
            </p>
          </li>
        ))}
      </ul>
    </SplitSection>
  )
}

function Lifetime({
  tier,
  issued_at,
  revoked_at,
}: Pick<ResponseOf<'GET /beak/cert/view'>, 'tier' | 'issued_at' | 'revoked_at'>) {
  const issued = () => <Time at={issued_at} dateOnly />
  if (revoked_at === null)
    return <Sentence of={m.certificate_valid_at} with={{ tier: tierLabel(tier) }} parts={{ issued }} />
  return (
    <Sentence
      of={m.certificate_valid_from_to}
      with={{ tier: tierLabel(tier) }}
      parts={{ issued, revoked: () => <Time at={revoked_at} dateOnly /> }}
    />
  )
}

export function RevokeSection() {
  return (
    <FoldedSection id="revoke" title={m.certificate_revoke()} state={m.certificate_revoke_section_intro()}>
      <Confirm
        trigger={m.certificate_revoke_this_certificate()}
        title={m.certificate_revoke_question()}
        text={m.certificate_revoke_warning()}
      >
        <AnnouncedForm action={revokeCertificate} label={m.certificate_revoke_this_certificate()}>
          <TextField
            label={m.certificate_reason()}
            name="reason"
            maxLength={280}
            autoComplete="off"
            hint={m.certificate_revoke_reason_hint()}
          />
          <ConfirmButtons>{m.certificate_revoke_permanently()}</ConfirmButtons>
        </AnnouncedForm>
      </Confirm>
    </FoldedSection>
  )
}
