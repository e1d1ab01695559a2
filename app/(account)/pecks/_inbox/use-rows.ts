'use client'

import { startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { m } from '@/lib/kernel/messages'
import { announcementOf, type InboxRow } from './rows'

/**
 * Decides what the open inbox shows when the list of pending requests changes. No row disappears or moves while the viewer uses the
 * list: a decided request stays in place, marked, and new requests are held back.
 */
export interface Shown<T> {
  item: T
  /** No longer pending. */
  isGone: boolean
}

interface Listed {
  id: string
}

interface MergeOptions<T> {
  /** The list has all requests that match, so a request that is not in the list is no longer pending. */
  isWhole: boolean
  /** The exception: a request that is not in the list because it no longer matches the filters. */
  isStillPending?: (item: T) => boolean
  /** The viewer uses the list. */
  isBusy: boolean
}

interface Merged<T> {
  shown: Shown<T>[]
  buffered: T[]
  /** Those that arrived since the last list. Older requests that move up into a full list are not among them. */
  news: T[]
}

/** Returns the requests to show, in the order of `items`, and those to hold back. */
export function merge<T extends Listed>(
  { shown, buffered }: { shown: Shown<T>[]; buffered: T[] },
  items: T[],
  { isWhole, isStillPending = () => false, isBusy }: MergeOptions<T>,
): Merged<T> {
  const current = new Map(items.map((item) => [item.id, item]))
  const kept = shown.map(({ item }) => {
    const found = current.get(item.id)
    if (found) return { item: found, isGone: false }
    // A request that new ones have moved out of the first rows is still pending.
    return { item, isGone: isWhole && !isStillPending(item) }
  })
  const known = new Set([...shown.map(({ item }) => item.id), ...buffered.map(({ id }) => id)])
  const oldest = oldestOf(shown.map(({ item }) => item))
  const news = items.filter(({ id }) => !known.has(id) && id > oldest)
  const listed = new Set(shown.map(({ item }) => item.id))
  const arrived = items.filter(({ id }) => !listed.has(id))
  if (isBusy) return { shown: kept, buffered: arrived, news }
  return { shown: withAbsent(items, kept), buffered: [], news }
}

/**
 * Puts requests into the rows of the requests that they replace, such as the request of an undone approval. `by`: the new id of each old one. They wait,
 * and are no news. `items`: the requests that the service has sent.
 */
export function takePlaces<T extends Listed>(
  { shown, buffered }: { shown: Shown<T>[]; buffered: T[] },
  by: ReadonlyMap<string, string>,
  items: T[],
): { shown: Shown<T>[]; buffered: T[] } {
  const fresh = new Map([...items, ...buffered].map((item) => [item.id, item]))
  const taken = new Set(shown.flatMap(({ item }) => by.get(item.id) ?? []))
  return {
    shown: shown
      .filter(({ item }) => !taken.has(item.id))
      .map((row) => {
        const id = by.get(row.item.id)
        return id === undefined ? row : { item: fresh.get(id) ?? { ...row.item, id }, isGone: false }
      }),
    buffered: buffered.filter(({ id }) => !taken.has(id)),
  }
}

/** Returns the id of the oldest request: ids begin with the time. */
const oldestOf = (items: Listed[]): string => items.map(({ id }) => id).sort()[0] ?? ''

/** Returns the items in their order. Each shown row that is not among them stays before the row that follows it. */
function withAbsent<T extends Listed>(items: T[], shown: Shown<T>[]): Shown<T>[] {
  const present = new Set(items.map(({ id }) => id))
  const absent = new Map<string, Shown<T>[]>()
  let before: Shown<T>[] = []
  for (const row of shown) {
    if (present.has(row.item.id)) {
      absent.set(row.item.id, before)
      before = []
    } else before.push(row)
  }
  const all = items.flatMap((item) => [...(absent.get(item.id) ?? []), { item, isGone: false }])
  return [...all, ...before]
}

/** Clicks do not count for this long after something has moved below the pointer. */
const settlingMilliseconds = 500

/** `settle()` starts the time in which clicks do not count. */
export function useSettling() {
  const [turn, setTurn] = useState(0)
  const [isSettling, setIsSettling] = useState(false)
  useEffect(() => {
    if (turn === 0) return
    const timer = setTimeout(() => setIsSettling(false), settlingMilliseconds)
    return () => clearTimeout(timer)
  }, [turn])
  function settle() {
    setIsSettling(true)
    setTurn((value) => value + 1)
  }
  return { isSettling, settle }
}

/** Requests that arrive within this time are announced together. */
const announcePauseMilliseconds = 400

interface ShownList {
  shown: Shown<InboxRow>[]
  buffered: InboxRow[]
}

const listOf = (rows: InboxRow[]): ShownList => ({
  shown: rows.map((item) => ({ item, isGone: false })),
  buffered: [],
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

  function keep({ shown, buffered }: ShownList) {
    latest.current = { shown, buffered, key, rows, isWhole, serverNow }
    setKept({ shown, buffered, key, isWhole })
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
    showBuffered: () => void update(false),
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

/** Finds every row that this page has had, even when the filters no longer match it. */
export function useKnownRows(rows: InboxRow[]): (id: string) => InboxRow | undefined {
  const known = useRef(new Map<string, InboxRow>())
  return useMemo(() => {
    for (const row of rows) known.current.set(row.id, row)
    return (id) => known.current.get(id)
  }, [rows])
}

/** Returns the same array while its items are the same. */
export function useStable(ids: string[]): string[] {
  const latest = useRef(ids)
  if (latest.current.join() !== ids.join()) latest.current = ids
  return latest.current
}
