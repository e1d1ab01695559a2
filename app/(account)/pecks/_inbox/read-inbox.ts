/** The query of the inbox. */
import type { QueryOf } from '@/app/beak/_api/lines'
import type { Filters } from './filters'

/** What a large window shows, as `firstLinesMax` in `request-list.tsx`. The open page asks for the rest at once. */
const firstRows = 30
/** The maximum of the API. */
const allRows = 1000

/**
 * Returns the query for the first rows, or for all. The page groups requests by asker unless it is sorted otherwise. The first rows are in the
 * order of these groups, so that nothing moves when the rest arrives. The API refuses a wrong value in the address, and the page says so.
 */
export function inboxQuery({ sort, ...filters }: Filters, isAll: boolean) {
  const grouped = isAll ? 'newest' : 'asker'
  const isGrouped = sort === '' || sort === 'newest'
  const query = {
    ...filters,
    sort: isGrouped ? grouped : sort,
    limit: String(isAll ? allRows : firstRows),
  }
  return query as QueryOf<'GET /beak/peck/inbox'>
}
