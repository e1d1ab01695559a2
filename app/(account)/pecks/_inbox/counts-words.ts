/** The words for how many requests wait. On the server only: a page loads no more of them than it shows. */
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import { type Filters, hasFilters } from './filters'
import type { InboxAnswer } from './rows'

/**
 * Returns "66 waiting", with filters "66 waiting, 4 match". Requests of strangers have their own number. `waiting`: how many of known askers wait,
 * as the navigation and the title of the tab have it.
 */
export function countsWords(
  inbox: InboxAnswer,
  filters: Filters,
  waiting: string,
  isFolded: boolean,
): string {
  if (inbox.total === 0) return m.inbox_youre_all_caught_up()
  const counts = listWords(inbox, filters, waiting, isFolded)
  if (!hasFilters(filters)) return counts
  const { matching } = inbox
  return matching === 1
    ? m.inbox_counts_one_matches({ counts })
    : m.inbox_counts_many_match({ counts, matching: matching.toLocaleString(readersLocale()) })
}

/** `isFolded`: strangers have a fold, which has their number. */
function listWords(
  { total, unknown }: InboxAnswer,
  { list }: Filters,
  waiting: string,
  isFolded: boolean,
): string {
  const count = (of: number) => of.toLocaleString(readersLocale())
  if (list === 'snoozed') return m.inbox_for_later({ total: count(total) })
  if (list === 'unknown' || list === 'strangers') return m.inbox_total_of_strangers({ total: count(total) })
  const others = list === '' && !isFolded ? unknown.pecks : 0
  if (waiting === '') return m.inbox_total_of_strangers({ total: count(others) })
  return others === 0
    ? m.inbox_total_waiting({ total: waiting })
    : m.inbox_total_waiting_and_of_strangers({ total: waiting, others: count(others) })
}
