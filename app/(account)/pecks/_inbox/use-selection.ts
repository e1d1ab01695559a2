'use client'

import { useSearchParams } from 'next/navigation'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { rowId } from './request-row'
import { rangeOf } from './rows'

/**
 * The place in the inbox in the fragment of the address: the selected request, and whether a narrow screen shows the list. Not in the query:
 * the router would take another query for another page. An answer on its way, such as that of an undo, would then not fit the page any more,
 * and the router would load the page again with the request that was selected before.
 */
interface Place {
  peck: string | null
  isList: boolean
}

const form = /^#(list)?:?(PECK-\w+)?$/

/** Returns the place that a fragment names, or null when it names none. */
export function placeIn(fragment: string): Place | null {
  const [, list, peck] = form.exec(fragment) ?? []
  return list === undefined && peck === undefined ? null : { peck: peck ?? null, isList: list !== undefined }
}

/** Returns the fragment for a place. */
export const fragmentOf = ({ peck, isList }: Place): string =>
  `#${[...(isList ? ['list'] : []), ...(peck === null ? [] : [peck])].join(':')}`

/** Browsers accept only about 20 changes of the address in a second. A held key selects more rows than that. */
const writePauseMilliseconds = 250

type Step = 'push' | 'replace'

/**
 * The selected request, and whether a narrow screen shows the list. Both are in the address of the page, so that Back and a reload find
 * them again, or else `first` is selected. `ids`: the rows. With other rows, a request that is not among them is no longer selected, once all
 * rows are there.
 */
export function useSelection(ids: string[], isWhole: boolean, first: string | null) {
  const named = placeNamed(useSearchParams())
  const [selected, setSelected] = useState(first)
  const [isList, setIsList] = useState(named.isList)
  // A held key selects the next row before the page is rendered again.
  const latest = useRef(first)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const rows = useRef(ids)
  useEffect(() => {
    rows.current = ids
  })

  const move = useCallback((place: Place) => {
    latest.current = place.peck ?? rows.current[0] ?? null
    setSelected(latest.current)
    setIsList(place.isList)
  }, [])
  useMoves(named, move)
  useEffect(() => {
    const found = [latest.current, first].find((id) => id !== null && (ids.includes(id) || !isWhole))
    latest.current = found ?? ids[0] ?? null
    setSelected(latest.current)
  }, [ids, isWhole, first])
  useEffect(() => () => clearTimeout(timer.current), [])

  /** Selects a request. `push`: shows it on a narrow screen, and Back returns to the request that was selected before. */
  function select(id: string, step: Step = 'replace') {
    latest.current = id
    setSelected(id)
    clearTimeout(timer.current)
    // Steps through the list of a narrow screen stay in the list. A wide screen shows both, and its address names the request alone.
    const place = { peck: id, isList: step === 'replace' && isList && !isWide() }
    setIsList(place.isList)
    if (step === 'push') write(place, step)
    else timer.current = setTimeout(() => write(place, step), writePauseMilliseconds)
  }

  function showList() {
    clearTimeout(timer.current)
    setIsList(true)
    write({ peck: latest.current, isList: true }, 'push')
  }

  return { selected, select, latest, isList, showList }
}

/** Returns the place in a query. Links and browsers without scripts use it. An address that names no request shows the list. */
function placeNamed(query: Pick<URLSearchParams, 'get'>): Place {
  const peck = query.get('peck')
  return { peck, isList: peck === null }
}

function write(place: Place, step: Step): void {
  const address = `${window.location.pathname}${window.location.search}${fragmentOf(place)}`
  if (step === 'push') window.history.pushState(null, '', address)
  else window.history.replaceState(null, '', address)
}

/**
 * Moves to the place in the address when the page opens, after Back, and when a link leads to another place (`named`). Never because the page
 * is rendered again: an answer that comes late must not take back what the person has selected meanwhile.
 */
function useMoves(named: Place, move: (place: Place) => void): void {
  const { peck, isList } = named
  const seen = useRef<Place | null>(null)
  useEffect(() => {
    const before = seen.current
    seen.current = { peck, isList }
    if (before === null) {
      const place = placeIn(window.location.hash)
      if (place !== null) move(place)
    } else if (before.peck !== peck || before.isList !== isList) move({ peck, isList })
  }, [peck, isList, move])
  useEffect(() => {
    function onBack() {
      const { hash, search } = window.location
      move(placeIn(hash) ?? placeNamed(new URLSearchParams(search)))
    }
    window.addEventListener('popstate', onBack)
    return () => window.removeEventListener('popstate', onBack)
  }, [move])
}

/** The selection of several rows: single rows, and a range that grows and shrinks from the row where it began. */

interface Checked {
  ids: ReadonlySet<string>
  /** The selection before the present range. */
  base: ReadonlySet<string>
  /** Where the range began, or the row that was changed last. */
  anchor: string | null
  /** Where the range ends. */
  end: string | null
}

const none: ReadonlySet<string> = new Set()
export const nothingChecked: Checked = { ids: none, base: none, anchor: null, end: null }

/** Selects a row or takes it out. The next range begins there. */
export function toggled({ ids }: Checked, id: string): Checked {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, base: next, anchor: id, end: id }
}

/** Replaces the range that began at the same row, or adds a new one. */
export function withRange(
  checked: Checked,
  ids: string[],
  { from, to }: { from: string; to: string },
): Checked {
  const base = checked.anchor === from ? checked.base : checked.ids
  return { ids: new Set([...base, ...rangeOf(ids, from, to)]), base, anchor: from, end: to }
}

/** The requests that are selected for a decision together. `ids`: all rows in the order of the list. `reachable`: what "Select all" selects. */
export function useChecked(ids: string[], open: Set<string>, reachable: Set<string>) {
  const latest = useRef<Checked>(nothingChecked)
  const [all, setAll] = useState(nothingChecked.ids)
  // A request that was decided meanwhile leaves the selection.
  const checked = new Set([...all].filter((id) => open.has(id)))
  // A held key changes the selection again before the page is rendered.
  function change(next: Checked) {
    latest.current = next
    setAll(new Set([...next.ids].filter((id) => open.has(id))))
  }
  return {
    checked,
    /** Changes a row. `isRange`: selects all rows from the one that was changed before up to this one. */
    check(id: string, isRange: boolean) {
      if (!open.has(id)) return
      const { anchor } = latest.current
      const isPossible = isRange && anchor !== null && ids.includes(anchor)
      change(
        isPossible ? withRange(latest.current, ids, { from: anchor, to: id }) : toggled(latest.current, id),
      )
    },
    /** Selects from one row to its neighbour. A step back takes the last row out again. */
    extend(from: string, to: string) {
      const { anchor, end } = latest.current
      change(withRange(latest.current, ids, { from: anchor !== null && end === from ? anchor : from, to }))
    },
    checkAll: (isOn: boolean) => change({ ...nothingChecked, ids: isOn ? new Set(reachable) : new Set() }),
  }
}

/** Moves the focus to the row of a request. Returns whether the row is shown: a narrow screen shows the list or a request. */
export function focusRow(id: string): boolean {
  const row = document.getElementById(rowId(id))
  const fold = row?.closest('details')
  if (fold) fold.open = true
  if (row === null || !row.checkVisibility()) return false
  row.focus({ preventScroll: true })
  showIn(row, row.closest('[data-scroll]'))
  return true
}

/** Scrolls the list only, so that the head of the page stays where it is. A narrow screen has no list of its own: it scrolls the page. */
function showIn(row: HTMLElement, list: Element | null): void {
  if (list === null || !isWide()) {
    row.scrollIntoView({ block: 'nearest' })
    return
  }
  const [place, area] = [row.getBoundingClientRect(), list.getBoundingClientRect()]
  const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(row)
  const above = area.top + Number.parseFloat(scrollMarginTop) - place.top
  const below = place.bottom + Number.parseFloat(scrollMarginBottom) - area.bottom
  if (above > 0) list.scrollTop -= above
  else if (below > 0) list.scrollTop += below
  // A window that is lower than the list.
  const { top, bottom } = row.getBoundingClientRect()
  if (top < 0 || bottom > window.innerHeight) row.scrollIntoView({ block: 'nearest' })
}

/** Moves the focus to the selected request, and shows its beginning. */
export function focusPane(pane: HTMLElement | null): void {
  pane?.focus({ preventScroll: true })
  pane?.scrollIntoView({ block: 'start' })
}

/** Whether the screen shows the list and the request beside each other. */
const isWide = () => window.matchMedia('(min-width: 64rem)').matches

interface ViewOptions {
  selected: string | null
  /** Whether a narrow screen shows the list or one request. Wide screens show both. */
  isList: boolean
  pane: RefObject<HTMLElement | null>
}

/** When a narrow screen changes between the list and a request, what had the focus is hidden, so the focus moves to what is shown. */
export function useView({ selected, isList, pane }: ViewOptions): void {
  const before = useRef(isList)
  useLayoutEffect(() => {
    if (before.current === isList) return
    before.current = isList
    if (isWide()) return
    if (!isList || selected === null || !focusRow(selected)) focusPane(pane.current)
  }, [isList, selected, pane])
}
