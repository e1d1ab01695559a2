/**
 * What lists and details show of the params of a peck. Only the params and what stands beside them decide it, and nothing changes these, so the
 * last results are kept: computing them is most of the work of a list.
 */

import { displayOf } from '@beak/decision/display/display'
import type { RowValue } from '@beak/decision/display/row-values'
import { decidingValue, sortDisplay } from '@beak/decision/display/sort'
import { textsIn } from '@beak/decision/display/value'
import type { Params } from '@beak/decision/params'
import { Recent } from '@beak/decision/recent'
import { rowValuesOf } from '@/lib/domain/pecks/display/row-values'
import { imitatesService } from '@/lib/domain/pecks/risk/imitation'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { inSlices } from '@/lib/kernel/runtime/slices'

type Columns = Pick<
  PeckRow,
  'id' | 'action' | 'scope' | 'params' | 'paramTypes' | 'grantSeconds' | 'riskLevel'
>

/** What an inbox shows of a peck. */
export interface Line {
  sentence: string
  value: ReturnType<typeof decidingValue>
  values: RowValue[]
}

/** What the details of a peck have of its texts. */
export interface Texts {
  params: Params
  display: ReturnType<typeof sortDisplay>
  imitates: ('message' | 'params')[]
}

/** A line rarely has more than 1 KB, the texts of a peck have up to 20 KB. */
const kept = () =>
  singleton('pecks.shown', () => ({ lines: new Recent<Line>(4000), texts: new Recent<Texts>(200) }))

/** The params of a peck are removed with an account. */
const keyOf = ({ id, params }: Columns) => `${id} ${params.length}`

/** Work for each byte: looking for words of the service takes twice as long as showing, and is not worth a whole slice of one peck. */
const weights = { known: 1 / 16, shown: 1, searched: 4 }

/** Returns the line of each peck. */
export function linesOf<T extends Columns>(pecks: readonly T[]): Promise<Line[]> {
  const { lines } = kept()
  return inSlices(
    pecks,
    (peck) => peck.params.length * (lines.find(keyOf(peck)) === undefined ? weights.shown : weights.known),
    (peck) => lines.find(keyOf(peck)) ?? lines.keep(keyOf(peck), lineOf(peck)),
  )
}

function lineOf(peck: Columns): Line {
  const params = JSON.parse(peck.params) as Params
  const display = displayOf(peck, params)
  const sent = { action: peck.action, params }
  return {
    sentence: display.sentence,
    value: decidingValue(display, sent),
    values: rowValuesOf(peck, display, params),
  }
}

type WithMessage = Columns & Pick<PeckRow, 'message'>

/** The message of a peck is removed with an account, too. */
const textsKey = (peck: WithMessage) => `${keyOf(peck)} ${peck.message?.length}`

/** Returns the texts of each peck. */
export async function textsOf(pecks: readonly WithMessage[]): Promise<Texts[]> {
  const { texts } = kept()
  const known = pecks.map((peck) => texts.find(textsKey(peck)))
  const made = await makeTexts(pecks.filter((_, index) => known[index] === undefined))
  return pecks.map((peck, index) => known[index] ?? texts.keep(textsKey(peck), made.shift() as Texts))
}

async function makeTexts(pecks: readonly WithMessage[]): Promise<Texts[]> {
  const made = await inSlices(
    pecks,
    ({ params }) => params.length * weights.shown,
    (peck): Texts & { peck: WithMessage } => {
      const params = JSON.parse(peck.params) as Params
      const display = sortDisplay(displayOf(peck, params), { action: peck.action, params })
      return { peck, params, display, imitates: [] }
    },
  )
  const searched = made.flatMap(({ peck, params, imitates }) => [
    { imitates, place: 'message' as const, text: peck.message ?? '' },
    ...textsIn(params).map((text) => ({ imitates, place: 'params' as const, text })),
  ])
  await inSlices(
    searched,
    ({ text }) => 20 + text.length * weights.searched,
    ({ imitates, place, text }) => {
      if (!imitates.includes(place) && imitatesService(text)) imitates.push(place)
    },
  )
  return made.map(({ params, display, imitates }) => ({ params, display, imitates }))
}
