/**
 * A birth certificate as a document, for its owner's page and for the public verification page, on screen and on paper. Its lines are
 * derived from its id. The drawing proves nothing: the check and the signed credential do.
 */

import { isolated } from '@beak/decision/person-name'
import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'
import { tierWords } from '@/lib/kernel/text/tier-words'
import { Duck, Logo } from './duck'
import { QrCode } from './qr-code'
import { Rosette, WaveBand } from './security-lines'
import { Link } from './ui/link'
import { Time } from './ui/time'

type CertificateState = 'active' | 'revoked' | 'superseded'

interface CertificateProps {
  certId: string
  ducklingId: string
  /** The name at the issue. */
  name: string
  /** Without `@`, with a link to the public page. */
  handle?: string | null | undefined
  tier: string
  issuedAt: string
  status: CertificateState
  revokedAt?: string | null
  /** The address of the page that checks the certificate, shown as a QR code. */
  verifyUrl: string
  /** The element of the duckling's name. */
  as?: 'h1' | 'h2' | 'p'
}

export function Certificate({
  certId,
  ducklingId,
  name,
  handle = null,
  tier,
  issuedAt,
  status,
  revokedAt = null,
  verifyUrl,
  as: Name = 'h2',
}: CertificateProps) {
  const isActive = status === 'active'
  return (
    <article
      aria-label={m.common_birth_certificate_of_name({ name: isolated(name) })}
      className="relative isolate overflow-hidden rounded-card border border-line bg-surface shadow-card print:break-inside-avoid print:border-edge print:shadow-none"
    >
      <Band id={certId} className={isActive ? 'text-accent' : 'text-soft'} />
      <div className="grid gap-x-10 gap-y-8 px-6 py-8 sm:grid-cols-[minmax(0,1fr)_auto] sm:px-10 sm:py-10 print:grid-cols-[minmax(0,1fr)_auto]">
        <div className="min-w-0">
          <p className="flex items-center gap-2 text-sm font-semibold text-soft">
            <Logo size={22} />
            {m.common_birth_certificate()}
          </p>
          <Name className="mt-5 font-display text-3xl font-semibold tracking-tight wrap-anywhere sm:mt-7">
            <bdi translate="no">{name}</bdi>
          </Name>
          {handle === null ? null : (
            <p className="mt-1 text-soft">
              <Link href={`/@${handle}`} className="inline-flex min-h-6 items-center underline wrap-anywhere">
                <bdi translate="no">@{handle}</bdi>
              </Link>
            </p>
          )}
          <p className="mt-3 max-w-md text-soft">
            <Sentence
              of={m.common_is_at_beak_confirmed}
              with={{ tier: tierWords(tier) }}
              parts={{ strong: (children) => <strong className="text-ink">{children}</strong> }}
            />
          </p>
        </div>
        <Seal id={certId} ducklingId={ducklingId} status={status} />
        <dl className="grid content-end gap-x-8 gap-y-4 text-sm sm:grid-cols-[auto_auto_1fr] print:grid-cols-[auto_auto_1fr]">
          <Fact name={m.common_certificate_issued()}>
            <Time at={issuedAt} dateOnly />
          </Fact>
          {revokedAt ? (
            <Fact name={status === 'superseded' ? m.common_superseded() : m.common_revoked()}>
              <Time at={revokedAt} dateOnly />
            </Fact>
          ) : null}
          <Fact name={m.common_certificate_number()} className="sm:col-span-full">
            <span translate="no" className="font-mono text-[0.875em] wrap-anywhere">
              {certId}
            </span>
          </Fact>
        </dl>
        <div className="justify-self-start sm:justify-self-center">
          <QrCode text={verifyUrl} label={m.common_certificate_qr_label()} size={112} />
        </div>
      </div>
      <Band id={`${certId} foot`} className={isActive ? 'text-accent' : 'text-soft'} />
    </article>
  )
}

function Fact({ name, className, children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <div className={className}>
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="mt-0.5 font-medium">{children}</dd>
    </div>
  )
}

function Band({ id, className }: { id: string; className: string }) {
  return (
    <WaveBand id={id} lines={9} strokeWidth={0.8} opacity={0.5} className={`block h-8 w-full ${className}`} />
  )
}

/** The duck inside the rosette of its certificate. A revoked or superseded certificate is stamped. */
function Seal({ id, ducklingId, status }: { id: string; ducklingId: string; status: CertificateState }) {
  const isActive = status === 'active'
  return (
    <div className="relative size-40 shrink-0 justify-self-start sm:size-44 print:size-40">
      <Rosette
        id={id}
        strokeWidth={0.7}
        opacity={0.65}
        className={`absolute inset-0 size-full ${isActive ? 'text-accent' : 'text-soft'}`}
      />
      <div className="absolute inset-0 grid place-items-center">
        <Duck id={ducklingId} size={84} className={isActive ? '' : 'opacity-50 grayscale'} />
      </div>
      {isActive ? null : (
        <p className="absolute inset-x-0 top-1/2 -translate-y-1/2 -rotate-12 border-y-2 border-bad bg-surface py-1 text-center font-display text-xl font-bold text-bad">
          {status === 'superseded' ? m.common_superseded() : m.common_revoked()}
        </p>
      )}
    </div>
  )
}
