/** What several payments come to, and whom they are for. */

import { m } from '@/lib/kernel/messages'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import type { InboxRow } from './row'

/** An amount as the service writes it: sign or code of the currency, digits in groups, and words when no currency is named. */
const amountForm = /^(−?)([^\d\s"[\]{}−]{1,3}|[A-Z]{3,5} )?(−?)(\d[\d,]*)(?:\.(\d+))?( \(.+\))?$/

interface Sum {
  before: string
  after: string
  /** In units of the last decimal. */
  units: bigint
  places: number
}

/** Payees that are named before the others are counted. */
const payeesMax = 3

/**
 * Returns the sum of the amounts of requests and their payees: "€132.38 to Stadtwerke Bonn and Hoster GmbH". Adds exactly, each currency by
 * itself. Null when none has an amount.
 */
export function sumWords(rows: Pick<InboxRow, 'value' | 'isAmount' | 'payee'>[]): string | null {
  const paid = rows.filter(({ isAmount }) => isAmount)
  const sums = new Map<string, Sum>()
  for (const { value } of paid) {
    const read = value === null ? null : readAmount(value)
    // An amount in another form cannot be added, and a sum without it would be wrong.
    if (read === null) return null
    const key = `${read.before} ${read.after}`
    sums.set(key, added(sums.get(key), read))
  }
  if (sums.size === 0) return null
  const sum = listWithAnd([...sums.values()].map(sumText))
  const payees = [...new Set(paid.flatMap(({ payee }) => payee ?? []))]
  if (payees.length === 0) return sum
  const named = payees.slice(0, payeesMax)
  const left = payees.length - named.length
  const unnamed = paid.some(({ payee }) => payee === null)
  const others = left > 0 || unnamed ? [m.inbox_others()] : []
  return m.inbox_sum_to_payees({ sum, payees: listWithAnd([...named, ...others]) })
}

function readAmount(text: string): Sum | null {
  const found = amountForm.exec(text)
  if (found === null) return null
  const [, first, before = '', second, digits = '', decimals = '', after = ''] = found
  const units = BigInt(digits.replaceAll(',', '') + decimals)
  return { before, after, units: first || second ? -units : units, places: decimals.length }
}

function added(left: Sum | undefined, right: Sum): Sum {
  if (left === undefined) return right
  const places = Math.max(left.places, right.places)
  const scaled = ({ units, places: own }: Sum) => units * 10n ** BigInt(places - own)
  return { ...right, places, units: scaled(left) + scaled(right) }
}

function sumText({ before, after, units, places }: Sum): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ',')
  const decimals = places === 0 ? '' : `.${digits.slice(-places)}`
  const sign = units < 0n ? '−' : ''
  return `${before.endsWith(' ') ? before + sign : sign + before}${whole}${decimals}${after}`
}
