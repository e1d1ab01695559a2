/** What the dialog about several requests shows: which can be decided together, and by whom they are. The list does not need it. */

import { reasonToOpen } from '@/app/_shell/palette/reason-to-open'
import { m } from '@/lib/kernel/messages'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { readersLocale } from '@/lib/kernel/text/time-words'
import { type BulkDecision, requestCount } from './bulk'
import type { InboxRow } from './rows'

export interface LeftOut {
  row: InboxRow
  reason: string
}

interface Split {
  included: InboxRow[]
  leftOut: LeftOut[]
}

/**
 * Splits the selected requests in those that can be decided together and those that a person must open, with the reason.
 * `isPasskeyRequired`: the person wants a passkey for each approval.
 */
export function splitForBulk(rows: InboxRow[], decision: BulkDecision, isPasskeyRequired: boolean): Split {
  const found = rows.map((row) => ({
    row,
    reason:
      decision === 'approve'
        ? reasonToOpen({ ...row, needsPasskey: isPasskeyRequired || row.needsPasskey })
        : null,
  }))
  return {
    included: found.filter(({ reason }) => reason === null).map(({ row }) => row),
    leftOut: found.flatMap(({ row, reason }) => (reason === null ? [] : [{ row, reason }])),
  }
}

/** Returns the title of the dialog: "Approve 3 requests?". `selected`: how many were selected, also those that are left out. */
export function bulkTitle(decision: BulkDecision, count: number, selected: number): string {
  const requests = requestCount(count)
  if (count > 0)
    return decision === 'approve'
      ? m.inbox_bulk_approve_title({ requests })
      : m.inbox_bulk_reject_title({ requests })
  if (selected === 1) return m.inbox_bulk_high_risk_reason()
  return m.inbox_none_these_selected_can_be_approved({ selected: selected.toLocaleString(readersLocale()) })
}

/** Requests of one dialog for the same action and of the same risk, and with the same reason when they are left out. */
export interface BulkGroup {
  key: string
  rows: InboxRow[]
  reason: string | null
}

/** Groups the requests of the dialog, the highest risk first, then the largest group. */
export function bulkGroups(found: { row: InboxRow; reason: string | null }[]): BulkGroup[] {
  const groups = new Map<string, BulkGroup>()
  for (const { row, reason } of found) {
    const key = JSON.stringify([row.risk, row.words, reason])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { key, reason, rows: [row] })
    else group.rows.push(row)
  }
  const level = ({ rows: [first] }: BulkGroup) => ['high', 'medium', 'low'].indexOf(first?.risk ?? '')
  return [...groups.values()].sort(
    (left, right) => level(left) - level(right) || right.rows.length - left.rows.length,
  )
}

/** Returns how many requests of a group are as before: "As before", "2 of 5 as before". Null when none is. */
export function asBeforeWords(rows: Pick<InboxRow, 'isAsBefore'>[]): string | null {
  const count = rows.filter(({ isAsBefore }) => isAsBefore).length
  if (count === 0) return null
  return count === rows.length ? m.inbox_all_as_before() : m.inbox_some_as_before({ count, all: rows.length })
}

/** Returns who asks: "from 50 people, 50 of them new to you", "from your agents and 2 people". Null when one asker sent all. */
export function askersWords(rows: InboxRow[]): string | null {
  if (new Set(rows.map(({ asker }) => asker)).size === 1) return null
  const others = rows.filter(({ operator }) => operator !== 'you')
  const people = new Set(others.map(({ ownerId }) => ownerId)).size
  const strangers = new Set(others.flatMap((row) => (row.isFirstContact ? [row.ownerId] : []))).size
  const own = others.length < rows.length ? [m.inbox_your_agents()] : []
  const shown = people.toLocaleString(readersLocale())
  const [some = '', rest] = [...own, ...(people === 0 ? [] : [m.inbox_people({ count: people, shown })])]
  const from = rest === undefined ? m.inbox_from_one({ some }) : m.inbox_from_two({ some, others: rest })
  return `${from}${newWords(strangers, people)}`
}

function newWords(strangers: number, people: number): string {
  if (strangers === 0) return ''
  if (people === 1) return m.inbox_new_to_you()
  return m.inbox_some_new_to_you({ count: strangers.toLocaleString(readersLocale()) })
}

/** An amount as the service writes it: sign or code of the currency, digits in groups, and words when no currency is named. */
const amountForm = /^(−?)([^\d\s"[\]{}−]{1,3}|[A-Z]{3,5} )?(−?)(\d[\d,]*)(?:\.(\d+))?( \(.+\))?$/

interface Sum {
  before: string
  after: string
  /** In units of the last decimal. */
  units: bigint
  places: number
}

/**
 * Returns the sums of the amounts of requests, one of each currency: "€132.38", "US$5.00". Adds exactly. None when no request has an amount, or
 * one has an amount in another form.
 */
export function sumsOf(rows: Pick<InboxRow, 'value' | 'isAmount'>[]): string[] {
  const sums = new Map<string, Sum>()
  for (const { value, isAmount } of rows) {
    if (!isAmount) continue
    const read = value === null ? null : readAmount(value)
    // An amount in another form cannot be added, and a sum without it would be wrong.
    if (read === null) return []
    const key = `${read.before} ${read.after}`
    sums.set(key, added(sums.get(key), read))
  }
  return [...sums.values()].map(sumText)
}

/** Recipients that are named before the others are counted. */
const namedMax = 3

interface Recipients {
  /** "to Stadtwerke Bonn, Hoster GmbH, Anna and 4 others". */
  words: string
  /** All names, when the words only count some. Otherwise none. */
  all: string[]
}

/** Returns whom requests reach: those with an amount, if there are any, because their sum stands beside it. Null without names. */
export function recipientsOf(rows: Pick<InboxRow, 'isAmount' | 'payee'>[]): Recipients | null {
  const paid = rows.filter(({ isAmount }) => isAmount)
  const reaching = paid.length > 0 ? paid : rows
  const names = [...new Set(reaching.flatMap(({ payee }) => payee ?? []))]
  if (names.length === 0) return null
  const count = Math.max(names.length - namedMax, 0)
  const recipient = listWithAnd([
    ...names.slice(0, namedMax),
    ...(count > 0 ? [m.inbox_others({ count })] : []),
    ...(reaching.some(({ payee }) => payee === null) ? [m.inbox_unnamed()] : []),
  ])
  return { words: m.inbox_to_recipient({ recipient }), all: count > 0 ? names : [] }
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
  // A code and its amount stay in one line.
  const code = `${before.trim()}\u00a0`
  return `${before.endsWith(' ') ? code + sign : sign + before}${whole}${decimals}${after}`
}
