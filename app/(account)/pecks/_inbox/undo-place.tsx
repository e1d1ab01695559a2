'use client'

import { type RefObject, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { lazyPart } from '@/components/lazy-part'
import type { InboxState } from './use-inbox'

const UndoBar = lazyPart(() => import('./undo-bar'))

/**
 * Where the message after a decision stands, so that it lies over no row and no button: below the list, on a narrow screen with one request
 * above the buttons of its bar, otherwise at the end of the window, which then is so much lower. One element that moves, so that the time goes
 * on. Screen readers announce only changes of a status that they know.
 */
export function useUndoPlace() {
  const [host, setHost] = useState<HTMLElement | null>(null)
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = document.createElement('div')
    element.setAttribute('role', 'status')
    setHost(element)
    return () => element.remove()
  }, [])
  useEffect(() => reserveHeight(page.current), [])
  const place = useCallback(() => {
    const places = [bar, document.querySelector('[data-undo-place=list]'), page.current]
    const found = places.find((one) => one?.checkVisibility() && isFitting(one)) ?? page.current
    if (host !== null && host.parentElement !== found) found?.append(host)
  }, [host, bar])
  // After each rendering: the list and the request may have changed places.
  useLayoutEffect(place)
  useEffect(() => {
    window.addEventListener('resize', place)
    return () => window.removeEventListener('resize', place)
  }, [place])
  return { host, page, setBar }
}

/** In a low window the bar is at the end of the request, and may be out of view. A wide screen shows the list beside it. */
function isFitting(place: Element): boolean {
  const query = place.matches('[data-undo-place=bar]')
    ? '(width < 64rem) and (height > 500px)'
    : '(width >= 64rem)'
  return window.matchMedia(query).matches
}

/** Keeps the height of the message for the page, which then ends above the message. */
function reserveHeight(place: HTMLElement | null) {
  if (place === null) return
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty('--undo-height', `${place.offsetHeight}px`))
  observer.observe(place)
  return () => {
    observer.disconnect()
    style.removeProperty('--undo-height')
  }
}

type UndoProps = InboxState['undo'] & { host: HTMLElement | null; page: RefObject<HTMLDivElement | null> }

export function Undo({ undoable, onEnd, onUndone, host, page }: UndoProps) {
  return (
    <>
      <div
        ref={page}
        data-undo-place="page"
        className="no-print fixed inset-x-0 bottom-[calc(var(--rooms-height)+var(--notice-height,0px))] z-20 md:bottom-[calc(var(--notice-height,0px)*1.5)]"
      />
      {host === null || undoable === null
        ? null
        : createPortal(
            <Suspense fallback={null}>
              <UndoBar
                key={undoable.message + undoable.ids.join()}
                undoable={undoable}
                onEnd={onEnd}
                onUndone={onUndone}
              />
            </Suspense>,
            host,
          )}
    </>
  )
}
