import { Overview, OverviewQuery, readOverview } from '@/lib/domain/accounts/overview'
import { endpoint } from '@/lib/http/endpoint'

// What a client shows on every page, in one call.
export const GET = endpoint({
  operationId: 'getOverview',
  summary: 'Read your profile and what waits for you',
  description:
    'Your profile, how many pecks wait for your answer (at most 1,000 are counted), how many passkeys you have, and the pending removal of all passkeys (POST /beak/passkey/recover), or null.',
  auth: 'session',
  limit: 'authenticated',
  allowsUnproved: true,
  query: OverviewQuery,
  response: Overview,
  handle: (context, { query }) => readOverview(context, query),
})
