'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { withBasePath } from '@/components/base-path'
import type { ShownPeck } from '../_peck/reads'

/** How many requests are loaded at once. */
const chunkSize = 25
/** The next chunk is loaded when fewer than this many requests after the selected one are here. */
const minAhead = 8

export type Loaded = { request: ShownPeck } | { failed: 'signed_out' | 'unreachable' } | null

/** Loads the selected request with the next ones of the list, so that the next one is there when it is selected. */
export function useRequests(ids: string[], selected: string | null, first: ShownPeck | null) {
  const found = useRef(new Map<string, ShownPeck>())
  const loading = useRef(new Set<string>())
  const stale = useRef(new Set<string>())
  /** The API has no such request for the viewer. An address may name it. */
  const absent = useRef(new Set<string>())
  const [failed, setFailed] = useState<'signed_out' | 'unreachable' | null>(null)
  const [turn, setTurn] = useState(0)
  if (first !== null) found.current.set(first.peck.peck_id, first)

  const load = useCallback(async (wanted: string[]) => {
    for (const id of wanted) {
      loading.current.add(id)
      stale.current.delete(id)
    }
    const result = await fetchRequests(wanted)
    for (const id of wanted) loading.current.delete(id)
    if (typeof result === 'string') return setFailed(result)
    setFailed(null)
    for (const request of result) found.current.set(request.peck.peck_id, request)
    for (const id of wanted) if (!found.current.has(id)) absent.current.add(id)
    setTurn((last) => last + 1)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when something was loaded or has become stale
  useEffect(() => {
    if (selected === null || failed !== null) return
    const isMissing = (id: string) =>
      (!found.current.has(id) || stale.current.has(id)) && !loading.current.has(id) && !absent.current.has(id)
    const ahead = ids.slice(Math.max(0, ids.indexOf(selected)))
    const wanted = [selected, ...ahead].filter((id, index, all) => isMissing(id) && all.indexOf(id) === index)
    if ([selected, ...ahead.slice(0, minAhead)].some(isMissing)) void load(wanted.slice(0, chunkSize))
  }, [ids, selected, failed, load, turn])

  const request = selected === null ? undefined : found.current.get(selected)
  const loaded: Loaded = request ? { request } : failed ? { failed } : null
  return {
    loaded,
    retry: () => setFailed(null),
    /** Loads these requests again before they are shown next, because their history has changed. Shows the old one until then. */
    refresh(changed: string[]) {
      for (const id of changed) {
        stale.current.add(id)
        absent.current.delete(id)
      }
      setTurn((last) => last + 1)
    },
  }
}

async function fetchRequests(ids: string[]): Promise<ShownPeck[] | 'signed_out' | 'unreachable'> {
  try {
    const answer = await fetch(withBasePath(`/api/pecks/requests?peck_ids=${ids.join(',')}`))
    if (answer.status === 401) return 'signed_out'
    return answer.ok ? ((await answer.json()) as { items: ShownPeck[] }).items : 'unreachable'
  } catch {
    return 'unreachable'
  }
}
