/** Checks that what a target would approve is less than what was asked for. Otherwise the asker could not act on it. */
import type { Money } from '@/lib/domain/pecks/display/money'
import { findMoney } from '@/lib/domain/pecks/display/money'
import { structuredAmounts } from '@/lib/domain/pecks/risk/amounts'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { m } from '@/lib/kernel/messages'
import { moneyNameOf } from '@/lib/kernel/text/money-names'
import type { WouldApprove } from '@/lib/kernel/would-approve'

interface FieldError {
  field: string
  message: string
}

/** How much a permission of each scope allows. */
const extent = { limited: 0, timed: 1, standing: 2 }

/** Returns the faults of the terms for this peck. */
export function termsErrors(
  peck: Pick<PeckRow, 'params' | 'scope' | 'grantSeconds'>,
  { max_amount: amount, scope, grant_expires_in: seconds }: WouldApprove,
): FieldError[] {
  const errors: FieldError[] = []
  const refuse = (field: string, message: string) => errors.push({ field: `would_approve.${field}`, message })
  if (scope !== undefined && extent[scope] >= extent[peck.scope])
    refuse('scope', m.field_must_allow_less_than_scope_which({ scope: peck.scope }))
  if (seconds !== undefined && seconds >= (peck.grantSeconds ?? Infinity))
    refuse('grant_expires_in', m.field_must_be_less_than_asked_for({ seconds: String(peck.grantSeconds) }))
  if (amount !== undefined) {
    const asked = amountsIn('', JSON.parse(peck.params)).filter(
      ({ currency }) => currency === null || currency === amount.currency,
    )
    const largest = Math.max(...asked.map((money) => Math.abs(money.amount)))
    if (asked.length === 0)
      refuse('max_amount', m.field_needs_amount_in_currency_in_request({ currency: amount.currency }))
    else if (Number(amount.amount) >= largest)
      refuse('max_amount', m.field_must_be_lower_than_largest_amount())
  }
  return errors
}

/** Returns the amounts of a value and of all values inside of it. Params nest at most 32 levels deep. */
function amountsIn(name: string, value: unknown, currency: string | null = null): Money[] {
  const own = findMoney(value, moneyNameOf(name), currency).amounts
  if (typeof value !== 'object' || value === null) return own
  const structured = structuredAmounts(value)
  const inner = Object.entries(value).flatMap(([key, member]) =>
    amountsIn(Array.isArray(value) ? name : key, member, structured.currency),
  )
  return [...own, ...structured.amounts, ...inner]
}
