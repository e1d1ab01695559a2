'use client'

import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type Filters, inboxPath } from './filters'
import { focusPane, focusRow } from './focus'

const wide = '(min-width: 64rem)'

interface ViewOptions {
  filters: Filters
  selected: string | null
  /** Whether a narrow screen shows the list or one request. Wide screens show both. */
  isList: boolean
  pane: RefObject<HTMLElement | null>
}

/**
 * Returns the address of the list, for browsers without scripts. When a narrow screen changes between the list and a request, what had the
 * focus is hidden, so the focus moves to what is shown.
 */
export function useView({ filters, selected, isList, pane }: ViewOptions): string {
  const before = useRef(isList)
  useLayoutEffect(() => {
    if (before.current === isList) return
    before.current = isList
    if (window.matchMedia(wide).matches) return
    if (!isList || selected === null || !focusRow(selected)) focusPane(pane.current)
  }, [isList, selected, pane])
  return inboxPath(filters, { peck: selected, isList: true })
}
