import { readInbox } from '@/lib/domain/pecks/lists/inbox'
import { Inbox, InboxQuery } from '@/lib/domain/pecks/lists/inbox-schema'
import { endpoint } from '@/lib/http/endpoint'

// The list of waiting pecks, with one line for each.
export const GET = endpoint({
  operationId: 'readInbox',
  summary: 'List the pecks that wait for you',
  description:
    'One line for each peck, newest first unless `sort` says otherwise: who asks, for what, the value that decides most, and the risk.',
  remarks: [
    '`value` is the value of `display.values` with `decides`, or a hidden secret that stands before it. It is null when there is none, when all are only true or false, or when several name what the action is done to equally. `values` tells the peck from others: the first three that are no long text, always the largest amount and what the action is done to, and the values that the risk comes from.',
    '`known` is true for your own agents, for an asker of whom you have approved something or who may always ask, and for a peck with an invitation. `sort=asker` groups by asker: those that are `known` first, then the asker with the newest peck. `risk` has the highest first, `expiry` the least time left, and equal ones are newest first. `limit` is 1 to 1000 (100). The call reads and sorts at most the newest 1,000.',
    '`askers`, `actions` and `risks` count all waiting pecks. `askers` and `actions` have the 100 most frequent values, and then the value of the filter if it is rarer. `snoozed` counts the pecks of `list=snoozed`.',
  ],
  auth: 'session',
  limit: 'authenticated',
  // A search reads the texts of all waiting pecks, whatever the limit is.
  cost: ({ query }) => query.limit / 50 + (query.q === undefined ? 0 : 5),
  query: InboxQuery,
  response: Inbox,
  handle: (context, { query }) => readInbox(context, query),
})
