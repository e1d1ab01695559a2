/**
 * The normal form of the bounds of a rule. The person signs a sentence that shows each bound as it is written. "/srv/.." reads like a folder below
 * /srv and means every file, so a bound that is written in another way than it holds is refused.
 */

import { parseUrl } from '@beak/decision/parse-url'
import { exactMoneyText, readMoney } from '@beak/proofs/rules/money'
import { normalPath } from '@beak/proofs/rules/places'
import type { Constraint, Rule } from '@beak/proofs/rules/rule'

/** A bound that is not in normal form. `normal`: how to write it, or null when no rule may have it. */
interface OddBound {
  field: string
  normal: string | null
}

function normalDomain(domain: string): string | null {
  const host = parseUrl(`https://${domain}/`)?.hostname ?? null
  return host === null || host === '' ? null : host
}

/** The root is no folder that a person means. */
function normalFolder(path: string): string | null {
  const folder = normalPath(path)
  return folder === '/' ? null : folder
}

function normalBound(bound: string | number): string | number | null {
  if (typeof bound === 'number') return bound
  const money = readMoney(bound)
  if (money !== null) return /(?<![\d.,])0\d/.test(bound) ? exactMoneyText(money) : bound
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)$/.exec(bound) ?? []
  const offset = Number(hours) * 60 + Number(minutes)
  // No place on earth is further from UTC.
  const isOdd = sign !== undefined && (offset > 14 * 60 || (sign === '-' && offset === 0))
  return isOdd ? new Date(bound).toISOString() : bound
}

function boundsOf(constraint: Constraint): [member: string, written: string | number, normal: unknown][] {
  if ('domain' in constraint) return [['domain', constraint.domain, normalDomain(constraint.domain)]]
  if ('path_below' in constraint)
    return [['path_below', constraint.path_below, normalFolder(constraint.path_below)]]
  if ('at_most' in constraint) return [['at_most', constraint.at_most, normalBound(constraint.at_most)]]
  if ('at_least' in constraint) return [['at_least', constraint.at_least, normalBound(constraint.at_least)]]
  if (!('between' in constraint)) return []
  return constraint.between.map((bound) => ['between', bound, normalBound(bound)])
}

/** Returns the bounds of a rule that do not show what holds. */
export function oddBounds({ params, budget }: Pick<Rule, 'params' | 'budget'>): OddBound[] {
  const odd = (field: string, written: string | number, normal: unknown): OddBound[] =>
    written === normal ? [] : [{ field, normal: normal === null ? null : String(normal) }]
  return [
    ...Object.entries(params).flatMap(([name, constraint]) =>
      boundsOf(constraint).flatMap(([member, written, normal]) =>
        odd(`params.${name}.${member}`, written, normal),
      ),
    ),
    ...(budget?.amount === undefined ? [] : odd('budget.amount', budget.amount, normalBound(budget.amount))),
  ]
}
