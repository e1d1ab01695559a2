'use client'

import { useRef, useState } from 'react'
import { type Checked, nothingChecked, toggled, withRange } from './checked'

/** The requests that are selected for a decision together. `ids`: all rows in the order of the list. */
export function useChecked(ids: string[], open: Set<string>) {
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
    checkAll: (isOn: boolean) => change({ ...nothingChecked, ids: isOn ? new Set(open) : new Set() }),
  }
}
