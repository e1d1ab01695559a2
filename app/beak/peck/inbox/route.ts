import { readInbox } from '@/lib/domain/pecks/lists/inbox'
import { Inbox, InboxQuery } from '@/lib/domain/pecks/lists/inbox-schema'
import { endpoint } from '@/lib/http/endpoint'

// The list of waiting pecks, with one line for each (contract C, Pecks and grants).
export const GET = endpoint({
  operationId: 'readInbox',
  summary: 'List the pecks that wait for you',
  description:
    'One line for each peck, newest first unless `sort` says otherwise: who asks, for what, the value that decides most, and the risk.',
  auth: 'session',
  limit: 'authenticated',
  // A search reads the texts of all waiting pecks, whatever the limit is.
  cost: ({ query }) => query.limit / 50 + (query.q === undefined ? 0 : 5),
  query: InboxQuery,
  response: Inbox,
  handle: (context, { query }) => readInbox(context, query),
})
