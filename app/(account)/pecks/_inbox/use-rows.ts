'use client'

import { useEffect, useMemo, useRef, useState } from 'react'
import { m } from '@/lib/kernel/messages'
import { merge, type Shown } from './merge'
import { announcementOf, type InboxRow } from './row'
import { useSettling } from './use-settling'

/** Requests that arrive within this time are announced together. */
const announcePauseMilliseconds = 400

interface Listed {
  shown: Shown<InboxRow>[]
  held: InboxRow[]
}

const listOf = (rows: InboxRow[]): Listed => ({
  shown: rows.map((item) => ({ item, isGone: false })),
  held: [],
})

interface RowsOptions {
  key: string
  /** The list has all requests that match. */
  isWhole: boolean
  /** Whether a request that is not in the list is still pending. */
  isStillPending: (row: InboxRow) => boolean
}

/**
 * Keeps the shown rows up to date with `rows` from the server. Holds new ones back while the viewer uses the list. Other filters (`key`)
 * are another list.
 */
export function useRows(rows: InboxRow[], { key, ...options }: RowsOptions) {
  const list = useRef<HTMLUListElement>(null)
  const [kept, setKept] = useState(() => ({ ...listOf(rows), key }))
  // Other filters have rows of their own from the first frame on.
  const first = useMemo(() => ({ ...listOf(rows), key }), [rows, key])
  const { shown, held } = kept.key === key ? kept : first
  const latest = useRef({ ...kept, rows })
  const { announcement, announce } = useAnnouncement()
  const { isSettling, settle } = useSettling()

  function update(isBusy: boolean) {
    const next = merge(latest.current, rows, { ...options, isBusy })
    if (next.shown.length > latest.current.shown.length) settle()
    latest.current = { ...next, key, rows }
    setKept({ ...next, key })
    return next.news
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the server has sent a new list
  useEffect(() => {
    if (latest.current.rows === rows) return
    if (latest.current.key !== key) {
      latest.current = { ...first, rows }
      return setKept(first)
    }
    const element = list.current
    announce(
      update(element !== null && (element.matches(':hover') || element.contains(document.activeElement))),
    )
  }, [rows, key])

  return {
    list,
    shown,
    held,
    isSettling,
    announcement,
    /** Shows the rows that are held back. */
    showHeld: () => void update(false),
    /** Removes the rows that are no longer pending. */
    dropGone() {
      const rest = latest.current.shown.filter(({ isGone }) => !isGone)
      latest.current = { ...latest.current, shown: rest }
      setKept({ shown: rest, held: latest.current.held, key: latest.current.key })
    },
  }
}

/** Announces rows that arrive shortly after each other in one message. */
function useAnnouncement() {
  const [announcement, setAnnouncement] = useState('')
  const waiting = useRef<InboxRow[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  function announce(news: InboxRow[]) {
    if (news.length === 0) return
    waiting.current.push(...news)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const [only, ...others] = waiting.current
      const count = others.length + 1
      setAnnouncement(
        only && others.length === 0
          ? m.inbox_new_request_only({ only: announcementOf(only) })
          : m.inbox_count_new_requests({ count }),
      )
      waiting.current = []
    }, announcePauseMilliseconds)
  }
  return { announcement, announce }
}
