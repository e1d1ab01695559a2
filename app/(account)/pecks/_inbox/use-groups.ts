'use client'

/** The groups of the list, and which of their rows the keys and the box for all reach. */

import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Group, groupRows, type InboxRow, isMixed } from './rows'
import type { Shown } from './use-rows'

interface Listed {
  shown: Shown<InboxRow>[]
  isWhole: boolean
}

/** Groups rows. Once the list is whole, the groups of askers that it has keep their order. Before, the other groups come after them. */
export function useGroups({ shown, isWhole }: Listed, sort: string) {
  const order = useRef<Group<InboxRow>[]>([])
  return useMemo(() => {
    const rows = shown.map(({ item }) => item)
    const groups = groupRows(rows, sort, order.current)
    order.current = isMixed(sort) || !isWhole ? [] : groups
    return groups
  }, [shown, isWhole, sort])
}

export type Fold = ReturnType<typeof useFold>

/**
 * The fold with the requests of people whom the viewer does not know, closed until the person opens it or a link leads to a request in it.
 * While it is closed, keys and "Select all" leave its requests out. `open`: the requests that wait for an answer.
 */
export function useFold(groups: Group<InboxRow>[], open: Set<string>, selected: string | null) {
  const [isOpen, setIsOpen] = useState(false)
  const summary = useRef<HTMLElement>(null)
  const folded = useMemo(() => idsInFold(groups), [groups])
  // Before the focus moves to a row in it.
  useLayoutEffect(() => {
    if (selected !== null && folded.has(selected)) setIsOpen(true)
  }, [selected, folded])
  const reachable = useMemo(
    () => (isOpen ? open : new Set([...open].filter((id) => !folded.has(id)))),
    [isOpen, open, folded],
  )
  return {
    isOpen,
    toggle: useCallback(setIsOpen, []),
    summary,
    reachable,
    /** Takes the step past the last known request: it leads to the button of the fold. Returns false when the step leads to a row. */
    take(step: 1 | -1, to: string | null): boolean {
      if (step === -1 || to !== null || isOpen || !summary.current?.checkVisibility()) return false
      summary.current.focus()
      return true
    },
  }
}

/** Returns the requests in the fold. A list of strangers only has none. */
function idsInFold(groups: Group<InboxRow>[]): Set<string> {
  const strangers = groups.filter(({ isStranger }) => isStranger)
  if (strangers.length === groups.length) return new Set()
  return new Set(strangers.flatMap(({ rows }) => rows.map(({ id }) => id)))
}
