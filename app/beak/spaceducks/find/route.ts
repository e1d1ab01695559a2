import { FindPeople, FoundPeople, findPeople } from '@/lib/domain/identity/find-people'
import { endpoint } from '@/lib/http/endpoint'

// POST, because an address in the query string would stand in logs.
export const POST = endpoint({
  operationId: 'findPeople',
  summary: 'Find a person to ask',
  description:
    'Finds a person by `@handle`, by name or by email address, for `target_duckling_id` of `POST /beak/peck/request`. An address finds the person who allowed that (`findable_by_email`). Nobody is found in the same way whether the person does not exist, is hidden or does not want to be found. Limited per day, for the account and for the IP address.',
  remarks: [
    '`to` names the person for an hour, for this account and its agents only, and `duckling_id` is masked, so nobody collects ids. A handle is found as in GET /beak/handle/view. A name finds people whom the directory lists: at most five, the oldest accounts first, and `has_more` says that there are others.',
    'An address finds an owner who has proved it, is not suspended and does not block you, whether or not the directory lists the owner. Everything else is an empty `items` with the same work for the database, so nobody learns who has an account. People whom the directory lists are found when they block you too, so nobody learns of a block.',
  ],
  auth: 'session',
  limit: 'authenticated',
  budget: 'find',
  tier: 'T1',
  body: FindPeople,
  response: FoundPeople,
  failures: ['rate_limited'],
  handle: (context, { body }) => findPeople(context, body.q),
})
