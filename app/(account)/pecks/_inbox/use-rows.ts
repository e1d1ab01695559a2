'use client'

import { startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { m } from '@/lib/kernel/messages'
import { merge, type Shown, takePlaces } from './merge'
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
  /** When the server read the rows. */
  serverNow: number
  /** Whether a request that is not in the list is still pending. */
  isStillPending: (row: InboxRow) => boolean
}

/**
 * Keeps the shown rows up to date with `rows` from the server. Holds new ones back while the viewer uses the list. Other filters (`key`)
 * are another list.
 */
export function useRows(rows: InboxRow[], { key, ...options }: RowsOptions) {
  const { isWhole, serverNow } = options
  const list = useRef<HTMLUListElement>(null)
  const [kept, setKept] = useState(() => ({ ...listOf(rows), key, isWhole }))
  // Other filters have rows of their own from the first frame on.
  const first = useMemo(() => ({ ...listOf(rows), key, isWhole }), [rows, key, isWhole])
  const current = kept.key === key ? kept : first
  const latest = useRef({ ...kept, rows, serverNow })
  const { announcement, announce } = useAnnouncement()
  const { isSettling, settle } = useSettling()

  function keep({ shown, held }: Listed) {
    latest.current = { shown, held, key, rows, isWhole, serverNow }
    setKept({ shown, held, key, isWhole })
  }

  function update(isBusy: boolean) {
    const next = merge(latest.current, rows, { ...options, isBusy })
    if (next.shown.length > latest.current.shown.length) settle()
    keep(next)
    return next.news
  }

  /**
   * Adds the other rows to a list that has only the first. They come after the first rows, so that nothing moves, and nobody is told. Returns
   * false when there are requests that are newer than the first rows: it leaves them out.
   */
  function complete(): boolean {
    const since = latest.current.serverNow
    const known = rows.filter(({ createdAt }) => Date.parse(createdAt) <= since)
    const next = merge(latest.current, known, { ...options, isBusy: false })
    startTransition(() => keep(next))
    return known.length === rows.length
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the server has sent a new list
  useEffect(() => {
    if (latest.current.rows === rows) return
    if (latest.current.key !== key) {
      latest.current = { ...first, rows, serverNow }
      return setKept(first)
    }
    if (isWhole && !latest.current.isWhole && complete()) return
    const element = list.current
    announce(
      update(element !== null && (element.matches(':hover') || element.contains(document.activeElement))),
    )
  }, [rows, key])

  return {
    list,
    ...current,
    isSettling,
    announcement,
    /** Shows the rows that are held back. */
    showHeld: () => void update(false),
    /** Puts requests into the rows of those whose place they took. `by`: the new id of each old one. */
    takePlaces(by: ReadonlyMap<string, string>) {
      latest.current = { ...latest.current, ...takePlaces(latest.current, by, latest.current.rows) }
      setKept(latest.current)
    },
    /** Removes the rows that are no longer pending. */
    dropGone() {
      latest.current = { ...latest.current, shown: latest.current.shown.filter(({ isGone }) => !isGone) }
      setKept(latest.current)
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
