import { confirmSubscription } from '@/lib/domain/newsletter/confirm-subscription'
import { Done, SubscriptionLink } from '@/lib/domain/newsletter/schema'
import { endpoint } from '@/lib/http/endpoint'

// Confirms a subscription. Only by POST, so that a mail scanner that opens the link does not confirm it (contract C, Newsletter links).
export const POST = endpoint({
  operationId: 'confirmSubscription',
  summary: 'Confirm a subscription',
  description: '`token` is the token of the mailed link.',
  auth: 'none',
  limit: 'newsletter',
  idempotencyKey: true,
  body: SubscriptionLink,
  response: Done,
  failures: ['subscription_link_invalid'],
  handle: (context, { body }) => confirmSubscription(context, body.token),
})
