'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { merge, type Shown } from './merge'

export interface InboxItem {
  id: string
  /** One sentence for screen readers. */
  announcement: string
  card: ReactNode
}

/** Clicks do not count for this long after new cards have moved the cards below them. */
const settlingMilliseconds = 500

/** Keeps the shown requests up to date with `items` from the server. Holds new ones back while the viewer uses the list. */
export function useInbox(items: InboxItem[], isWhole: boolean) {
  const [shown, setShown] = useState<Shown<InboxItem>[]>(() =>
    items.map((item) => ({ item, isNew: false, isGone: false })),
  )
  const [held, setHeld] = useState<InboxItem[]>([])
  const [announcement, setAnnouncement] = useState('')
  const { isSettling, settle } = useSettling()
  const list = useRef<HTMLUListElement>(null)
  const latestShown = useRef(shown)

  function update(isBusy: boolean, focusOn = '') {
    const next = merge(latestShown.current, items, { isWhole, isBusy })
    if (next.shown.length > latestShown.current.length) settle(focusOn)
    latestShown.current = next.shown
    setShown(next.shown)
    setHeld(next.held)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the server has sent a new list
  useEffect(() => {
    const known = new Set([...latestShown.current.map(({ item }) => item), ...held].map(({ id }) => id))
    const news = items.filter(({ id }) => !known.has(id))
    const element = list.current
    update(element !== null && (element.matches(':hover') || element.contains(document.activeElement)))
    if (news.length > 0)
      setAnnouncement(`New request. ${news.map(({ announcement: text }) => text).join(' ')}`)
  }, [items])

  /** Shows the requests that are held back, and moves the focus to the first. */
  const showHeld = () => update(false, `request-${held[0]?.id}`)

  return { list, shown, held, showHeld, announcement, isSettling }
}

/** `settle(id)` starts the time in which clicks do not count, and moves the focus to an element once it is rendered. */
function useSettling() {
  const [isSettling, setIsSettling] = useState(false)
  const focusOn = useRef('')
  useEffect(() => {
    if (focusOn.current !== '') document.getElementById(focusOn.current)?.focus()
    focusOn.current = ''
    if (!isSettling) return
    const timer = setTimeout(() => setIsSettling(false), settlingMilliseconds)
    return () => clearTimeout(timer)
  }, [isSettling])
  return {
    isSettling,
    settle(id: string) {
      focusOn.current = id
      setIsSettling(true)
    },
  }
}
