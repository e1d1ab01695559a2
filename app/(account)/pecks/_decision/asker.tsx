import { BadgeCheck } from 'lucide-react'
import { Link } from '@/components/ui/link'
import { Pill } from '@/components/ui/surface'
import { TimeText } from '@/components/ui/time-text'
import type { PeckWithDetails } from '../_peck/reads'

interface AskerProps extends PeckWithDetails {
  viewer: { duckling_id: string }
  now: Date
  zone: string | null
}

/** Who stands behind a request (the operator of an agent, the trust tier, the certificate), and the times of the request. */
export function Asker({ peck, details, viewer, now, zone }: AskerProps) {
  const { requester } = peck
  const isOwn = requester.duckling_id === viewer.duckling_id
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      {requester.agent_name === undefined ? null : (
        <span className="wrap-anywhere">
          {isOwn ? 'Your agent' : <>An agent of {requester.display_name}</>}
        </span>
      )}
      <Pill>{requester.trust_tier}</Pill>
      <CertificateLink certificateId={details.requester_cert_id} isOwn={isOwn} />
      <span>
        Sent <TimeText at={peck.created_at} now={now} zone={zone} />
        {peck.status === 'pending' ? (
          <>
            , expires <TimeText at={peck.expires_at} now={now} zone={zone} />
          </>
        ) : null}
      </span>
    </p>
  )
}

function CertificateLink({ certificateId, isOwn }: { certificateId: string | null; isOwn: boolean }) {
  if (certificateId === null) return 'No certificate'
  return (
    <Link
      href={`/verify/${certificateId}`}
      className="inline-flex min-h-6 items-center gap-1.5 underline decoration-line hover:decoration-ink"
    >
      <BadgeCheck aria-hidden="true" size={16} className="text-good" />
      {isOwn ? 'Your certificate' : 'Certified'}
    </Link>
  )
}
