import { Inbox, InboxQuery, readInbox } from '@/lib/domain/pecks/follow/inbox'
import { endpoint } from '@/lib/http/endpoint'

// Spec silent: the list of waiting pecks, with one line for each.
export const GET = endpoint({
  operationId: 'readInbox',
  summary: 'List the pecks that wait for you',
  description:
    'One line for each peck, newest first: who asks, for what, the value that decides most, and the risk.',
  auth: 'session',
  limit: 'authenticated',
  query: InboxQuery,
  response: Inbox,
  handle: (context, { query }) => readInbox(context, query),
})
