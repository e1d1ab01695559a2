import { Done, SubscriptionLink, unsubscribe } from '@/lib/domain/newsletter/subscriptions'
import { endpoint } from '@/lib/http/endpoint'

// Ends a subscription. Only by POST, like the confirmation.
export const POST = endpoint({
  operationId: 'unsubscribe',
  summary: 'Unsubscribe',
  description: '`token` is the token of the mailed link.',
  auth: 'none',
  limit: 'newsletter',
  idempotencyKey: true,
  body: SubscriptionLink,
  response: Done,
  failures: ['subscription_link_invalid'],
  handle: (context, { body }) => unsubscribe(context, body.token),
})
