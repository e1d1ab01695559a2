import { AskerCard, AskerQuery, readAskerCard } from '@/lib/domain/pecks/lists/asker-card'
import { endpoint } from '@/lib/http/endpoint'

// What a person wants to know of somebody who asks (contract C, Pecks and grants).
export const GET = endpoint({
  operationId: 'getAsker',
  summary: 'Read the card of somebody who asked you',
  description:
    'The person who asks, or who is behind the agent that asks: names, tier, certificate, the agents that asked you, and what you decided. Only for those whose requests you have seen; everybody else is 404.',
  auth: 'session',
  limit: 'authenticated',
  query: AskerQuery,
  response: AskerCard,
  failures: ['asker_not_found'],
  handle: (context, { query }) => readAskerCard(context, query.asker),
})
