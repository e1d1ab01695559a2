import { confirmSubscription } from '@/lib/domain/platform/confirm-subscription'
import { Done, SubscriptionLink } from '@/lib/domain/platform/schema'
import { endpoint } from '@/lib/http/endpoint'

// Spec silent: how a subscription is confirmed. By POST only, so that a mail scanner that opens links confirms nothing.
export const POST = endpoint({
  summary: 'Confirm a subscription',
  description: '`token` is the one in the link that was mailed.',
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
