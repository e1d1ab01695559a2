'use client'

import { useRef, useState } from 'react'
import { rangeOf } from './groups'

/** The requests that are selected for a decision together. `ids`: all rows in the order of the list. */
export function useChecked(ids: string[], open: Set<string>) {
  const [all, setAll] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  // A request that was decided meanwhile leaves the selection.
  const checked = new Set([...all].filter((id) => open.has(id)))
  return {
    checked,
    /** Changes a row. `isRange`: all rows from the one that was changed before get the same mark. */
    check(id: string, isRange: boolean) {
      const changed = (isRange && last.current !== null ? rangeOf(ids, last.current, id) : [id]).filter(
        (one) => open.has(one),
      )
      const isOn = isRange || !checked.has(id)
      last.current = id
      setAll(new Set(isOn ? [...checked, ...changed] : [...checked].filter((one) => !changed.includes(one))))
    },
    checkAll: (isOn: boolean) => setAll(isOn ? new Set(open) : new Set()),
  }
}
