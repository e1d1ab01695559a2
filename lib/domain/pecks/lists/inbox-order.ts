/** The orders of the inbox. */
import { riskLevels } from '@/lib/domain/pecks/risk/levels'
import type { Risk } from '@/lib/domain/pecks/risk/rules'

export const inboxSorts = ['newest', 'asker', 'risk', 'expiry'] as const
type InboxSort = (typeof inboxSorts)[number]

interface Ordered {
  id: string
  /** The request in whose place it waits. */
  supersedes: string | null
  askerId: string
  /** May be missing unless the order is `expiry`. */
  expiresAt: Date | null
  level: Risk['level']
  isKnown: boolean
}

type Comparison = (left: Ordered, right: Ordered) => number

/** A request that came back after an undo stays in its row. */
const placeOf = ({ id, supersedes }: Ordered) => supersedes ?? id

const newest: Comparison = (left, right) => (placeOf(left) < placeOf(right) ? 1 : -1)

const risk: Comparison = (left, right) => riskLevels.indexOf(right.level) - riskLevels.indexOf(left.level)

const expiry: Comparison = (left, right) => Number(left.expiresAt) - Number(right.expiresAt)

/** Returns the comparison that groups rows by asker: first those whom the target knows, then the asker of the first of `rows`. */
function asker(rows: Ordered[]): Comparison {
  const places = new Map<string, number>()
  for (const { askerId } of rows) if (!places.has(askerId)) places.set(askerId, places.size)
  const rankOf = ({ askerId }: Ordered) => places.get(askerId) ?? 0
  return (left, right) => Number(right.isKnown) - Number(left.isKnown) || rankOf(left) - rankOf(right)
}

/** Sorts rows in place and returns them. Rows of the same asker or risk, or with the same time left, are newest first. */
export function sortRows<T extends Ordered>(rows: T[], sort: InboxSort): T[] {
  rows.sort(newest)
  if (sort === 'newest') return rows
  return rows.sort({ asker: asker(rows), risk, expiry }[sort])
}
