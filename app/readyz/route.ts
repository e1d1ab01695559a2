import { checkReadiness } from '@/lib/domain/status/check-status'
import { Readiness } from '@/lib/domain/status/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getReadiness',
  summary: 'Readiness probe',
  description:
    'Answers 200 when the database answers and has every migration, and the worker of this instance works, otherwise 503. Names what waits for too long.',
  auth: 'none',
  // Load balancers may probe without a limit.
  limit: null,
  withoutDatabase: true,
  response: Readiness,
  failures: ['worker_stopped'],
  handle: checkReadiness,
})
