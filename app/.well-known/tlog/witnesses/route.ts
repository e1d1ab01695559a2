import { z } from 'zod'
import { witnessPolicy } from '@/lib/domain/tlog/origin'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getLogWitnesses',
  summary: 'Witnesses of the transparency log',
  description:
    'A policy in the format of C2SP tlog-policy: the verifier keys of the log, the witnesses that the operator has configured, and a quorum of all of them, or `quorum none` without witnesses. Save it, and decide yourself which of these witnesses you trust.',
  auth: 'none',
  limit: 'tlog',
  response: z.string(),
  media: 'text/plain; charset=utf-8',
  handle: () => witnessPolicy(),
})
