/** What the dialog about several requests shows: which can be decided together, and by whom they are. The list does not need it. */

import { reasonToOpen } from '@/app/_shell/palette/reason-to-open'
import { readersLocale } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'
import { type BulkDecision, requestCount } from './bulk'
import type { InboxRow } from './row'

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
  if (count > 0) return `${decision === 'approve' ? 'Approve' : 'Reject'} ${requestCount(count)}?`
  if (selected === 1) return m.inbox_this_request_can_only_be_approved()
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

/** Returns who asks: "from 50 people, 50 of them new to you", "from your agents and 2 people". Null when one asker sent all. */
export function askersWords(rows: InboxRow[]): string | null {
  if (new Set(rows.map(({ asker }) => asker)).size === 1) return null
  const others = rows.filter(({ operator }) => operator !== 'you')
  const people = new Set(others.map(({ ownerId }) => ownerId)).size
  const strangers = new Set(others.flatMap((row) => (row.isFirstContact ? [row.ownerId] : []))).size
  const own = others.length < rows.length ? [m.inbox_your_agents()] : []
  const shown = people.toLocaleString(readersLocale())
  const [asker = '', other] = [...own, ...(people === 0 ? [] : [m.inbox_people({ count: people, shown })])]
  const from = other === undefined ? m.inbox_from_one({ asker }) : m.inbox_from_two({ asker, other })
  return `${from}${newWords(strangers, people)}`
}

function newWords(strangers: number, people: number): string {
  if (strangers === 0) return ''
  if (people === 1) return m.inbox_new_to_you()
  return m.inbox_some_new_to_you({ count: strangers.toLocaleString(readersLocale()) })
}
