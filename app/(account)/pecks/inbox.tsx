'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { buttonClass } from '@/components/ui/button'
import type { Change } from './follow'
import { Live } from './live'
import { merge, type Shown } from './merge'
import { settledElsewhere } from './settled'
import { SettledHere } from './settled-here'

interface Item {
  id: string
  /** The service's sentence, for those who listen. */
  summary: string
  card: ReactNode
}

interface InboxProps {
  ducklingId: string
  items: Item[]
  /** There is no further page. */
  isWhole: boolean
  /** Shown while nothing waits. */
  empty: ReactNode
  label: string
}

/** While new cards move what is below them, no click counts: it was meant for what was there before. */
const settlingMilliseconds = 500

/** The requests that wait, kept in step with the server without taking anything away from under the viewer's hands. */
export function Inbox({ ducklingId, items, isWhole, empty, label }: InboxProps) {
  const [shown, setShown] = useState<Shown<Item>[]>(() =>
    items.map((item) => ({ item, isNew: false, isGone: false })),
  )
  const [held, setHeld] = useState<Item[]>([])
  const [outcomes, setOutcomes] = useState<Record<string, string>>({})
  const [isSettling, setIsSettling] = useState(false)
  const [spoken, setSpoken] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const latest = useRef({ shown, items })
  const focusOn = useRef('')

  function take(isBusy: boolean) {
    const next = merge(latest.current.shown, items, { isWhole, isBusy })
    const came = next.shown.length > latest.current.shown.length
    latest.current = { shown: next.shown, items }
    setShown(next.shown)
    setHeld(next.held)
    if (came) setIsSettling(true)
    return next
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: what the server has just sent is what it answers to
  useEffect(() => {
    const known = new Set([...latest.current.shown.map(({ item }) => item), ...held].map(({ id }) => id))
    const news = items.filter(({ id }) => !known.has(id))
    const element = list.current
    take(element !== null && (element.matches(':hover') || element.contains(document.activeElement)))
    if (news.length > 0) setSpoken(`New request. ${news.map(({ summary }) => summary).join(' ')}`)
  }, [items])

  useEffect(() => {
    if (focusOn.current !== '') document.getElementById(focusOn.current)?.focus()
    focusOn.current = ''
    if (!isSettling) return
    const timer = setTimeout(() => setIsSettling(false), settlingMilliseconds)
    return () => clearTimeout(timer)
  }, [isSettling])

  function showHeld() {
    focusOn.current = `request-${held[0]?.id}`
    take(false)
  }

  return (
    <div>
      <div className="flex min-h-11 items-center">
        <Live
          ducklingId={ducklingId}
          onChange={({ peck_id, status }: Change) => setOutcomes((all) => ({ ...all, [peck_id]: status }))}
        />
      </div>
      {/* Takes no room of its own, so that it moves nothing when it comes; it stays in view further down the list. */}
      <div className="sticky top-14 z-10 flex h-0 justify-end">
        {held.length > 0 ? (
          <button
            type="button"
            onClick={showHeld}
            className={buttonClass('plain', 'h-11 -translate-y-full shadow-card')}
          >
            {held.length === 1 ? 'Show 1 new request' : `Show ${held.length} new requests`}
          </button>
        ) : null}
      </div>
      <p role="status" className="visually-hidden">
        {spoken}
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
            <SettledHere value={isGone ? settledElsewhere(outcomes[item.id] ?? '') : null}>
              {item.card}
            </SettledHere>
          </li>
        ))}
      </ul>
    </div>
  )
}
