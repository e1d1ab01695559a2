import { readMetrics } from '@/lib/domain/metrics/read-metrics'
import { Metrics } from '@/lib/domain/metrics/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getMetrics',
  summary: 'Public counts',
  description: 'The counts are at most 10 seconds old. `as_of` is the time when they were read.',
  remarks: [
    '`completed_pecks` were approved or rejected, by a person or by a rule that the person signed. No request counts rows.',
  ],
  auth: 'none',
  limit: 'metrics',
  response: Metrics,
  handle: ({ now }) => readMetrics(now),
})
