import { z } from 'zod'
import { Site } from '@/lib/domain/oauth/site-schema'
import { listSites } from '@/lib/domain/oauth/sites'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listSites',
  summary: 'List the sites that you registered',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject(pageQuery()),
  response: listOf(Site),
  handle: (context, { query }) => listSites(context, pageRequest(query)),
})
