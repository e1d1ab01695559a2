'use client'

import { useMemo, useRef } from 'react'
import type { InboxRow } from './row'

/** Finds every row that this page has had, also when the filters no longer match it. */
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
