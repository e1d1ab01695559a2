import Link from 'next/link'
import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { Pill } from '@/components/ui/surface'
import { quotable } from '@/lib/kernel/quote'
import type { Peck } from './reads'
import { actionWords, stateWords } from './words'

interface PeckRowProps {
  peck: Peck
  viewerId: string
  /** What matters of it in this list. */
  children: ReactNode
  /** What can be done with it. */
  actions?: ReactNode
}

/** A peck in a line of a list; the whole of it is one click away. */
export function PeckRow({ peck, viewerId, children, actions }: PeckRowProps) {
  const { word, tone } = stateWords(peck)
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
              {actionWords(peck.action)}
            </Link>
            <Pill tone={tone}>{word}</Pill>
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

/** Who asked whom, from where the viewer stands. */
export function Parties({ peck, viewerId }: { peck: Peck; viewerId: string }) {
  const { requester } = peck
  const isOwnRequest = requester.duckling_id === viewerId
  const agent = requester.agent_name === undefined ? null : <bdi>“{quotable(requester.agent_name)}”</bdi>
  const asker = isOwnRequest ? 'you' : requester.display_name
  return (
    <>
      {agent === null ? (
        isOwnRequest ? (
          'You'
        ) : (
          asker
        )
      ) : (
        <>
          {agent}, an agent of {isOwnRequest ? 'yours' : asker},
        </>
      )}{' '}
      asked {peck.target_duckling_id === viewerId ? 'you' : peck.target_display_name}
    </>
  )
}
