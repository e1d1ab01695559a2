import Link from 'next/link'
import { Duck } from '@/components/duck'
import { band, rosette } from '@/components/guilloche'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'

interface CertificateCardProps {
  certificate: { cert_id: string; status: string; tier: string; display_name: string; issued_at: string }
  ducklingId: string
}

/** A small picture of the viewer's certificate, which links to the certificate page. */
export function CertificateCard({ certificate, ducklingId }: CertificateCardProps) {
  const isActive = certificate.status === 'active'
  const ink = isActive ? 'text-accent' : 'text-soft'
  return (
    <Link
      href="/certificate"
      className="group grid justify-items-center gap-1 overflow-hidden rounded-card border border-line bg-surface pb-6 text-center no-underline shadow-card"
    >
      <svg viewBox="0 0 300 20" preserveAspectRatio="none" aria-hidden="true" className={`h-5 w-full ${ink}`}>
        {band(certificate.cert_id, 300, 20, 5).map((line) => (
          <path key={line} d={line} fill="none" stroke="currentColor" strokeWidth="0.7" opacity="0.5" />
        ))}
      </svg>
      <span className="relative mt-4 grid size-32 place-items-center">
        <svg viewBox="-100 -100 200 200" aria-hidden="true" className={`absolute inset-0 size-full ${ink}`}>
          {rosette(certificate.cert_id, 98).map((line) => (
            <path key={line} d={line} fill="none" stroke="currentColor" strokeWidth="0.8" opacity="0.6" />
          ))}
        </svg>
        <Duck id={ducklingId} size={62} className={isActive ? '' : 'opacity-60 grayscale'} />
      </span>
      <span className="mt-3 px-4 font-display text-lg font-semibold wrap-anywhere group-hover:underline">
        {certificate.display_name}
      </span>
      <span className="text-sm text-soft">Birth certificate, tier {certificate.tier}</span>
      <span className="text-sm text-soft">
        {isActive ? (
          <>
            Issued <Time at={certificate.issued_at} dateOnly />
          </>
        ) : (
          <Pill tone="bad">Revoked</Pill>
        )}
      </span>
    </Link>
  )
}
