import { BadgeCheck } from 'lucide-react'
import Link from 'next/link'
import { Duck } from '@/components/duck'
import { Pill } from '@/components/ui/surface'
import { quotable } from '@/lib/kernel/quote'
import type { PeckWithDetails } from './reads'

/** Who asks: the duck, the name, how far trusted, and what stands behind it. */
export function Asker({ peck, details }: PeckWithDetails) {
  const { requester } = peck
  const isOwn = requester.duckling_id === peck.target_duckling_id
  return (
    <div className="flex min-w-0 items-center gap-4">
      <Duck id={requester.agent_id ?? requester.duckling_id} size={52} />
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">
          {requester.agent_name === undefined ? (
            requester.display_name
          ) : (
            <>
              <bdi>“{quotable(requester.agent_name)}”</bdi>
              <span className="font-normal text-soft">
                {isOwn ? ', an agent of yours' : `, an agent of ${requester.display_name}`}
              </span>
            </>
          )}
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
          <Pill>{requester.trust_tier}</Pill>
          {details.requester_cert_id === null ? (
            'Without a certificate'
          ) : (
            <Link
              href={`/verify/${details.requester_cert_id}`}
              className="inline-flex min-h-6 items-center gap-1.5 underline decoration-line hover:decoration-ink"
            >
              <BadgeCheck aria-hidden="true" size={16} className="text-good" />
              {isOwn ? 'Your certificate' : 'Certified'}
            </Link>
          )}
        </p>
      </div>
    </div>
  )
}
