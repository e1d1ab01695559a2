/** What tells a request from others: the same values in the inbox, in mails and in messages on channels. */

import type { Display } from '@beak/decision/display/display'
import { type RowValue, rowValues } from '@beak/decision/display/row-values'
import type { Params } from '@beak/decision/params'
import { riskOf } from '@beak/decision/risk/rules'
import type { PeckRow } from '@/lib/domain/pecks/rows'

type Columns = Pick<PeckRow, 'action' | 'riskLevel'>

/** Returns the values of a row, with those that the risk comes from. */
export const rowValuesOf = (peck: Columns, display: Display, params: Params): RowValue[] =>
  rowValues(display, { action: peck.action, params }, matcherOf(peck, params))

/** Returns what finds the params that the risk comes from: with such a param alone, the action has a reason that it does not have without. */
function matcherOf({ action, riskLevel }: Columns, params: Params): (name: string) => boolean {
  if (riskLevel === 'low') return () => false
  const reasonsWith = (some: Params) =>
    riskOf({ action, scope: 'limited', params: some, history: null })
      .reasons.filter(({ rule }) => rule !== 'unlisted')
      .map(({ rule, level }) => `${rule} ${level}`)
  let without: string[] | undefined
  return (name) => {
    without ??= reasonsWith({})
    return reasonsWith({ [name]: params[name] }).some((reason) => !without?.includes(reason))
  }
}
