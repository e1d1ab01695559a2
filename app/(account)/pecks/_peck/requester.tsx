import { BadgeCheck } from 'lucide-react'
import { Duck } from '@/components/duck'
import { Link } from '@/components/ui/link'
import { Pill } from '@/components/ui/surface'
import type { PeckWithDetails } from './reads'
import { requesterName } from './words'

/** The requester: picture, name, operator, trust tier and certificate. */
export function Requester({ peck, details, viewerId }: PeckWithDetails & { viewerId: string }) {
  const { requester } = peck
  const isOwn = requester.duckling_id === viewerId
  return (
    <div className="flex min-w-0 items-center gap-4">
      <Duck id={requester.agent_id ?? requester.duckling_id} size={52} />
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">
          <bdi>{requesterName(requester)}</bdi>
          {requester.agent_name === undefined ? null : (
            <span className="font-normal text-soft">
              {isOwn ? ', your agent' : `, an agent of ${requester.display_name}`}
            </span>
          )}
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
          <Pill>{requester.trust_tier}</Pill>
          <CertificateLink certificateId={details.requester_cert_id} isOwn={isOwn} />
        </p>
      </div>
    </div>
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
