import { readStatusHistory } from '@/lib/domain/status/history'
import { StatusHistory, StatusHistoryQuery } from '@/lib/domain/status/schema'
import { endpoint } from '@/lib/http/endpoint'

// What the status was on earlier days.
export const GET = endpoint({
  operationId: 'getStatusHistory',
  summary: 'Status of earlier days, and incidents',
  description:
    'For each component, one entry per day (UTC), oldest first, and the part of the measured time without an outage. `incidents` are measured once a minute or written by the operator. An outage of the database is recorded when the database is back.',
  remarks: [
    'While the database is down, the answer is 503. An outage of the database counts for every component. The answer is at most ten seconds old.',
  ],
  auth: 'none',
  limit: 'metrics',
  query: StatusHistoryQuery,
  response: StatusHistory,
  handle: ({ now }, { query }) => readStatusHistory(Number(query.days), now),
})
