import { confirmSubscription, Done, SubscriptionLink } from '@/lib/domain/newsletter/subscriptions'
import { endpoint } from '@/lib/http/endpoint'

// Confirms a subscription. Only by POST, so that a mail scanner that opens the link does not confirm it.
export const POST = endpoint({
  operationId: 'confirmSubscription',
  summary: 'Confirm a subscription',
  description: '`token` is the token of the mailed link.',
  remarks: [
    'Links in mails lead to a page with a button. Opening a link changes nothing, because mail scanners open links.',
  ],
  auth: 'none',
  limit: 'newsletter',
  idempotencyKey: true,
  body: SubscriptionLink,
  response: Done,
  failures: ['subscription_link_invalid'],
  handle: (context, { body }) => confirmSubscription(context, body.token),
})
