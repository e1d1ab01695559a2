/** What the inbox asks the API for. */
import type { QueryOf } from '@/app/beak/_api/lines'
import type { Filters } from './filters'

/** More than a large window shows, so that the person has rows to go on with until the others are there. */
const firstRows = 60
/** The API reads no more. */
const allRows = 1000

/**
 * Returns the query for the first rows, or for all. The page groups the requests by asker unless it mixes askers. So the first rows are the
 * first ones of these groups: with others, rows would move when the rest arrives. The API refuses a wrong value in the address, and the page
 * says so.
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
