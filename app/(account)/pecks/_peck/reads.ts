/** Reads pecks with their details, through the API. */
import { read } from '@/app/_web/page-read'
import type { QueryOf } from '@/app/beak/_api/lines'
import type { Peck, PeckDetails } from './answers'
import { inPageLanguage, riskInPageLanguage, valueInPageLanguage } from './page-words'
import { type RequestWords, requestWords } from './request-words'

export type { DisplayValue, Peck, PeckDetails } from './answers'

export interface PeckWithDetails {
  peck: Peck
  details: PeckDetails
}

export interface ShownPeck extends PeckWithDetails {
  words: RequestWords
}

export interface PeckPage {
  items: ShownPeck[]
  next: string | null
}

type HistoryQuery = QueryOf<'GET /beak/peck/history'>

/** Returns a page of pecks with their details. Throws `PageProblem`, with status 400 when the cursor was changed. */
export async function readPecks(query: HistoryQuery): Promise<PeckPage> {
  const { items, next_cursor: next } = await read('GET /beak/peck/history', { query })
  return { items: await withDetails(items), next }
}

/** Adds the details of pecks that the viewer may see, and the words about them. Throws `PageProblem`. */
export async function withDetails(pecks: Peck[]): Promise<ShownPeck[]> {
  if (pecks.length === 0) return []
  const { items } = await read('GET /beak/peck/details', {
    query: { peck_ids: pecks.map(({ peck_id }) => peck_id).join(',') },
  })
  return joined(pecks, items)
}

/** Returns pecks with their details and the words about them. Leaves out pecks without details. */
export function joined(pecks: Peck[], items: PeckDetails[]): ShownPeck[] {
  const found = new Map(items.map((details) => [details.peck_id, details]))
  return pecks.flatMap((peck) => {
    const details = found.get(peck.peck_id)
    return details ? [shownPeck(peck, details)] : []
  })
}

/** Writes what the service says about a peck in the language of the page. The API has it in English, because it is stored or signed. */
function shownPeck(peck: Peck, details: PeckDetails): ShownPeck {
  const { asker_history: history } = details
  const display = { ...details.display, values: details.display.values.map(valueInPageLanguage) }
  const approved = history?.approved_values.map(valueInPageLanguage) ?? []
  const asked = { requester: peck.requester, viewerId: peck.target_duckling_id }
  return {
    peck: peck.risk === undefined ? peck : { ...peck, risk: riskInPageLanguage(peck.risk, asked) },
    details: {
      ...details,
      first_line: details.first_line && inPageLanguage(details.first_line, asked),
      display,
      asker_history: history === null ? null : { ...history, approved_values: approved },
    },
    words: requestWords(peck, { display }),
  }
}
