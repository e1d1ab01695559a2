import { AskerCard, AskerQuery, readAskerCard } from '@/lib/domain/pecks/lists/asker-card'
import { endpoint } from '@/lib/http/endpoint'

// What a person wants to know of somebody who asks.
export const GET = endpoint({
  operationId: 'getAsker',
  summary: 'Read the card of somebody who asked you',
  description:
    'The person who asks, or who is behind the agent that asks: names, tier, certificate, the agents that asked you, and what you decided. Only for those whose requests you have seen; everybody else is 404.',
  remarks: [
    'The numbers count the newest 200 pecks of the person and at most 20 agents (`counted_all: false` when there are more), and `decisions` are the newest ten. `revoked` is a permission that ended early: you revoked it, the agent was deregistered, or an account was closed. A peck that a block hides is nowhere.',
  ],
  auth: 'session',
  limit: 'authenticated',
  query: AskerQuery,
  response: AskerCard,
  failures: ['asker_not_found'],
  handle: (context, { query }) => readAskerCard(context, query.asker),
})
