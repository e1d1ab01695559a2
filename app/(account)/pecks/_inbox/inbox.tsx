'use client'

import { type ReactNode, useState } from 'react'
import { buttonClass } from '@/components/ui/button'
import { ListOutcome } from '../_decision/list-outcome'
import { outcomeElsewhere } from '../_decision/outcome'
import type { Change } from '../_live/follow-pecks'
import { LiveStatus } from '../_live/live-status'
import { type InboxItem, useInbox } from './use-inbox'

interface InboxProps {
  ducklingId: string
  items: InboxItem[]
  /** There is no further page. */
  isWhole: boolean
  /** Shown when the list is empty. */
  empty: ReactNode
  label: string
}

/** The pending requests, kept up to date without moving or removing a card that the viewer uses. */
export function Inbox({ ducklingId, items, isWhole, empty, label }: InboxProps) {
  const { list, shown, held, showHeld, announcement, isSettling } = useInbox(items, isWhole)
  const [statuses, setStatuses] = useState<Record<string, string>>({})
  return (
    <div>
      <div className="flex min-h-11 items-center">
        <LiveStatus
          ducklingId={ducklingId}
          onChange={({ peck_id, status }: Change) => setStatuses((all) => ({ ...all, [peck_id]: status }))}
        />
      </div>
      <ShowHeldButton count={held.length} onClick={showHeld} />
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
      {shown.length === 0 ? empty : null}
      <ul
        ref={list}
        aria-label={label}
        className={`mt-2 grid gap-5 empty:hidden ${isSettling ? 'pointer-events-none' : ''}`}
      >
        {shown.map(({ item, isNew, isGone }) => (
          <li
            key={item.id}
            className={
              isNew
                ? 'transition-[opacity,translate] duration-300 ease-out starting:-translate-y-2 starting:opacity-0'
                : undefined
            }
          >
            <ListOutcome value={isGone ? outcomeElsewhere(statuses[item.id] ?? '') : null}>
              {item.card}
            </ListOutcome>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Takes no space, so that nothing moves when the button appears. Stays in view while the list scrolls. */
function ShowHeldButton({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <div className="sticky top-14 z-10 flex h-0 justify-end">
      {count > 0 ? (
        <button
          type="button"
          onClick={onClick}
          className={buttonClass('plain', 'h-11 -translate-y-full shadow-card')}
        >
          {count === 1 ? 'Show 1 new request' : `Show ${count} new requests`}
        </button>
      ) : null}
    </div>
  )
}
