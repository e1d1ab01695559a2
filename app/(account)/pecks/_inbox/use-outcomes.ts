'use client'

import { useMemo, useState } from 'react'
import { type Outcome, outcomeElsewhere } from '../_decision/outcome'
import { statusWords } from './bulk'
import type { Shown } from './merge'
import type { InboxRow } from './row'

/** The outcomes of the requests that are no longer pending, in words, and those that are still open. */
export function useOutcomes(shown: Shown<InboxRow>[]) {
  const [own, setOwn] = useState<Record<string, string>>({})
  const [heard, setHeard] = useState<Record<string, string>>({})
  return useMemo(() => {
    const gone = shown.filter(({ item, isGone }) => isGone || own[item.id] !== undefined)
    const outcomes = Object.fromEntries(
      gone.map(({ item: { id } }) => [id, own[id] ?? statusWords(heard[id] ?? '')]),
    )
    return {
      outcomes,
      outcomeOf(id: string | null): Outcome | null {
        if (id === null || outcomes[id] === undefined) return null
        const elsewhere = outcomeElsewhere(heard[id] ?? '')
        return own[id] === undefined ? elsewhere : { ...elsewhere, message: `${own[id]}.` }
      },
      open: new Set(shown.flatMap(({ item: { id } }) => (outcomes[id] === undefined ? [id] : []))),
      /** The service has told the new status of a request. */
      heard: (id: string, status: string) => setHeard((all) => ({ ...all, [id]: status })),
      /** These requests wait for an answer again. */
      reopened: (ids: string[]) =>
        setOwn((all) => Object.fromEntries(Object.entries(all).filter(([id]) => !ids.includes(id)))),
      /** The viewer has decided these requests here. */
      decided: (results: [id: string, words: string][]) =>
        setOwn((all) => ({ ...all, ...Object.fromEntries(results) })),
    }
  }, [shown, own, heard])
}
