import { confirmSubscription } from '@/lib/domain/platform/confirm-subscription'
import { Done, SubscriptionLink } from '@/lib/domain/platform/schema'
import { endpoint } from '@/lib/http/endpoint'

// Spec silent: how a subscription is confirmed. Only by POST, so that a mail scanner that opens the link does not confirm it.
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
