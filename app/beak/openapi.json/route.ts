import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { openapiDocument } from '@/lib/http/openapi'
import { singleton } from '@/lib/kernel/runtime/singleton'
import manifest from '@/package.json' with { type: 'json' }
import { describedTable } from '../_api/described'

export const GET = endpoint({
  operationId: 'getOpenapi',
  summary: 'This API reference as OpenAPI 3.1',
  auth: 'none',
  limit: 'anonymous',
  response: z.looseObject({ openapi: z.string() }),
  handle: () =>
    singleton('openapi', () => openapiDocument(describedTable(), manifest.version)) as { openapi: string },
})
