/**
 * The place in the inbox in the fragment of the address: the selected request, and whether a narrow screen shows the list. Not in the query:
 * the router would take another query for another page. An answer on its way, such as that of an undo, would then not fit the page any more,
 * and the router would load the page again with the request that was selected before.
 */
export interface Place {
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
