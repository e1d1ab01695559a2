import { readHistory } from '@/lib/domain/metrics/read-metrics'
import { HistoryQuery, MetricsHistory } from '@/lib/domain/metrics/schema'
import { endpoint } from '@/lib/http/endpoint'

// The counts of earlier days.
export const GET = endpoint({
  operationId: 'getMetricsHistory',
  summary: 'Public counts over time',
  description:
    'One value for each day (UTC) and count, oldest first; the last one is the count now. More than 120 days are given week by week (`step`). `views` sums the page views of each step. `since` is the first recorded day.',
  auth: 'none',
  limit: 'metrics',
  query: HistoryQuery,
  response: MetricsHistory,
  handle: ({ now }, { query }) => readHistory(Number(query.days), now),
})
