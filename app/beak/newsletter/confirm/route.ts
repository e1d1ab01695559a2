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
  body: SubscriptionLink,
  response: Done,
  failures: ['subscription_link_invalid'],
  handle: async (context, { body }) => {
    await confirmSubscription(context, body.token)
    return { success: true as const, message: 'You are subscribed.' }
  },
})
