import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { openapiDocument } from '@/lib/http/openapi'
import { singleton } from '@/lib/kernel/singleton'
import manifest from '@/package.json'

export const GET = endpoint({
  operationId: 'getOpenapi',
  summary: 'This API reference as OpenAPI 3.1',
  auth: 'none',
  limit: 'anonymous',
  response: z.looseObject({ openapi: z.string() }),
  handle: readDocument,
})

async function readDocument(): Promise<{ openapi: string }> {
  // Imported on the first call, because the table imports this module.
  const { table } = await import('../_api/table')
  return singleton('openapi', () => openapiDocument(table, manifest.version)) as { openapi: string }
}
