import { Askers, listAskers } from '@/lib/domain/pecks/lists/askers'
import { endpoint } from '@/lib/http/endpoint'

// Who can be chosen as `asker` of GET /beak/peck/history.
export const GET = endpoint({
  operationId: 'listAskers',
  summary: 'List who asked you, and for what',
  description:
    'The agents and people whose requests you have seen, by name, each with the actions and how often you approved them. Their ids and actions are the filters of `GET /beak/peck/history`.',
  remarks: [
    'Each has at most 20 actions, the newest first. At most 500 pairs of an asker and an action: the newest action of each asker comes before the second newest of any.',
  ],
  auth: 'session',
  limit: 'authenticated',
  response: Askers,
  handle: (context) => listAskers(context),
})
