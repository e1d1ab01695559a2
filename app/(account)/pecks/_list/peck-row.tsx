import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { Link } from '@/components/ui/link'
import { Pill } from '@/components/ui/surface'
import { Parties } from '../_peck/parties'
import type { Peck } from '../_peck/reads'
import { actionTitle, statusBadge } from '../_peck/words'

interface PeckRowProps {
  peck: Peck
  viewerId: string
  /** The details that matter in this list. */
  children: ReactNode
  /** The buttons for this peck. */
  actions?: ReactNode
}

/** A peck in a list, with a link to its page. */
export function PeckRow({ peck, viewerId, children, actions }: PeckRowProps) {
  const { label, tone } = statusBadge(peck)
  const { requester } = peck
  const isReceived = peck.target_duckling_id === viewerId
  const duckId = isReceived ? (requester.agent_id ?? requester.duckling_id) : peck.target_duckling_id
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line py-5 first:border-t-0">
      <div className="flex min-w-0 max-w-full items-start gap-4 sm:flex-1">
        <Duck id={duckId} size={44} />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              href={`/pecks/${peck.peck_id}`}
              className="inline-flex min-h-6 items-center font-semibold no-underline wrap-anywhere hover:underline"
            >
              {actionTitle(peck.action)}
            </Link>
            <Pill tone={tone}>{label}</Pill>
          </p>
          <p className="mt-0.5 text-sm text-soft wrap-anywhere">
            <Parties peck={peck} viewerId={viewerId} />
          </p>
          <p className="mt-0.5 text-sm text-soft">{children}</p>
        </div>
      </div>
      {actions}
    </li>
  )
}
