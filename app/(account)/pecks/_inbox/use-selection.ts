'use client'

import { useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isListAddress } from './filters'
import { fragmentOf, type Place, placeIn } from './place'

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
    // Arrow steps through the list of a narrow screen stay in the list.
    const place = { peck: id, isList: step === 'replace' && isList }
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

/** Returns the place in a query. Links and browsers without scripts use it. */
const placeNamed = (query: Pick<URLSearchParams, 'get'>): Place => ({
  peck: query.get('peck'),
  isList: isListAddress(query),
})

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
