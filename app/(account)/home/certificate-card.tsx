import { Duck } from '@/components/duck'
import { Rosette, WaveBand } from '@/components/security-lines'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { tierWords } from '@/lib/kernel/text/tier-words'

interface CertificateCardProps {
  certificate: { cert_id: string; status: string; tier: string; issued_name: string; issued_at: string }
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
      <WaveBand
        id={certificate.cert_id}
        lines={5}
        strokeWidth={0.7}
        opacity={0.5}
        className={`h-5 w-full ${ink}`}
      />
      <span className="relative mt-4 grid size-32 place-items-center">
        <Rosette
          id={certificate.cert_id}
          strokeWidth={0.8}
          opacity={0.6}
          className={`absolute inset-0 size-full ${ink}`}
        />
        <Duck id={ducklingId} size={62} className={isActive ? '' : 'opacity-60 grayscale'} />
      </span>
      <span className="mt-3 px-4 font-display text-lg font-semibold wrap-anywhere group-hover:underline">
        <bdi translate="no">{certificate.issued_name}</bdi>
      </span>
      <span className="text-sm text-soft">
        {m.home_certificate_confirmed({ tier: tierWords(certificate.tier) })}
      </span>
      <span className="text-sm text-soft">
        {isActive ? (
          <Sentence
            of={m.home_issued_on}
            parts={{ time: () => <Time at={certificate.issued_at} dateOnly /> }}
          />
        ) : (
          <Pill tone="bad">{m.home_revoked()}</Pill>
        )}
      </span>
    </Link>
  )
}
