import { z } from 'zod'
import { getStatusList, parseListNumber } from '@/lib/domain/certs/status-list'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getStatusList',
  summary: 'Status list of birth certificates',
  description:
    'Returns a signed Bitstring Status List credential. The bit of a certificate is set when it is revoked or superseded.',
  remarks: ['A list is at most five seconds old, and valid for ten minutes.'],
  auth: 'none',
  limit: 'anonymous',
  response: z.string(),
  media: 'application/vc+jwt',
  failures: ['status_list_not_found'],
  handle: (context, { parameter }) => getStatusList(context, parseListNumber(parameter)),
})
