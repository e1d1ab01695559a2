'use client'

import { useSearchParams } from 'next/navigation'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { withBasePath } from '@/components/base-path'
import { type Filters, inboxPath, isListAddress } from './filters'
import { focusPane, focusRow } from './focus'

const wide = '(min-width: 64rem)'

interface ViewOptions {
  filters: Filters
  selected: string | null
  pane: RefObject<HTMLElement | null>
}

/**
 * Whether a narrow screen shows the list or one request. Wide screens show both. When the view changes, what had the focus is hidden, so
 * the focus moves to what is shown.
 */
export function useView({ filters, selected, pane }: ViewOptions) {
  const isList = isListAddress(useSearchParams())
  const before = useRef(isList)
  useLayoutEffect(() => {
    if (before.current === isList) return
    before.current = isList
    if (window.matchMedia(wide).matches) return
    if (!isList || selected === null || !focusRow(selected)) focusPane(pane.current)
  }, [isList, selected, pane])
  const listPath = inboxPath(filters, { peck: selected, isList: true })
  return { isList, listPath, showList: () => window.history.pushState(null, '', withBasePath(listPath)) }
}
