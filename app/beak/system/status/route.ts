import { checkStatus } from '@/lib/domain/status/check-status'
import { SystemStatus } from '@/lib/domain/status/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getStatus',
  summary: 'Status of the service',
  description:
    'Answers 200 also during an outage. `agents_alive` is the number of bonded agents seen in the last five minutes. `api_latency_ms` is the median of the latest answers.',
  remarks: ['`outage`: no database, or one whose disk is full.'],
  auth: 'none',
  limit: 'status',
  withoutDatabase: true,
  response: SystemStatus,
  handle: ({ now }) => checkStatus(now),
})
