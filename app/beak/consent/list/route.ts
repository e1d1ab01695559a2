import { z } from 'zod'
import { SiteConsent } from '@/lib/domain/oauth/schema'
import { listSiteConsents } from '@/lib/domain/oauth/site-consents'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listConsents',
  summary: 'List the sites where you sign in with Beak',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject(pageQuery()),
  response: listOf(SiteConsent),
  handle: (context, { query }) => listSiteConsents(context, pageRequest(query)),
})
