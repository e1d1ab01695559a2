import { readMetrics } from '@/lib/domain/platform/read-metrics'
import { Metrics } from '@/lib/domain/platform/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  summary: 'Public counts',
  description: 'At most 10 seconds old; `as_of` says when they were read.',
  auth: 'none',
  limit: 'metrics',
  response: Metrics,
  handle: ({ now }) => readMetrics(now),
})
