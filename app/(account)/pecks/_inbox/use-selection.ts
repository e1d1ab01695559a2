'use client'

import { useSearchParams } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { withBasePath } from '@/components/base-path'
import { type Filters, inboxPath, isListAddress } from './filters'

/** Browsers accept only about 20 changes of the address in a second. A held key selects more rows than that. */
const writePauseMilliseconds = 250

type Step = 'push' | 'replace'

/**
 * The selected request: the one in the address of the page, so that Back and a reload find it again, or else `first`. `ids`: the rows. With
 * other rows, a request that is not among them is no longer selected.
 */
export function useSelection(ids: string[], first: string | null, filters: Filters) {
  const named = useSearchParams().get('peck')
  const [selected, setState] = useState(first)
  // A held key selects the next row before the page is rendered again.
  const latest = useRef(first)
  const seen = useRef(named)
  // The router reports the addresses that this hook writes later, when another row may be selected.
  const written = useRef(new Set<string>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (named === seen.current) return
    seen.current = named
    if (named !== null && written.current.delete(named)) return
    latest.current = named ?? ids[0] ?? null
    setState(latest.current)
  }, [named, ids])
  useEffect(() => {
    const found = [latest.current, first].find((id) => id !== null && ids.includes(id))
    latest.current = found ?? ids[0] ?? null
    setState(latest.current)
  }, [ids, first])
  useEffect(() => () => clearTimeout(timer.current), [])

  /** Selects a request. `push`: Back returns to the request that was selected before. */
  function select(id: string, step: Step = 'replace') {
    latest.current = id
    setState(id)
    clearTimeout(timer.current)
    const write = () => {
      if (id !== seen.current) written.current.add(id)
      // Arrow steps through the list of a narrow screen stay in the list.
      const isList = step === 'replace' && isListAddress(new URLSearchParams(window.location.search))
      const path = withBasePath(inboxPath(filters, { peck: id, isList }))
      if (step === 'push') window.history.pushState(null, '', path)
      else window.history.replaceState(null, '', path)
    }
    if (step === 'push') write()
    else timer.current = setTimeout(write, writePauseMilliseconds)
  }

  return { selected, select, latest }
}
