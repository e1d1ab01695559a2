import { FindPeople, FoundPeople, findPeople } from '@/lib/domain/identity/find-people'
import { endpoint } from '@/lib/http/endpoint'

// POST, because an address in the query string would stand in logs (contract B, spaceducks/find).
export const POST = endpoint({
  operationId: 'findPeople',
  summary: 'Find a person to ask',
  description:
    'Finds a person by `@handle`, by name or by email address, for `target_duckling_id` of `POST /beak/peck/request`. An address finds the person who allowed that (`findable_by_email`). Nobody is found in the same way whether the person does not exist, is hidden or does not want to be found. Limited per day, for the account and for the IP address.',
  auth: 'session',
  limit: 'authenticated',
  budget: 'find',
  tier: 'T1',
  body: FindPeople,
  response: FoundPeople,
  failures: ['rate_limited'],
  handle: (context, { body }) => findPeople(context, body.q),
})
