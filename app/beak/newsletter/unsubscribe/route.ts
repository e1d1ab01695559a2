import { Done, SubscriptionLink } from '@/lib/domain/platform/schema'
import { unsubscribe } from '@/lib/domain/platform/unsubscribe'
import { endpoint } from '@/lib/http/endpoint'

// Spec silent: how a subscription is ended. By POST only, as it is confirmed.
export const POST = endpoint({
  summary: 'Unsubscribe',
  description: '`token` is the one in the link that was mailed.',
  auth: 'none',
  limit: 'newsletter',
  body: SubscriptionLink,
  response: Done,
  failures: ['subscription_link_invalid'],
  handle: async (context, { body }) => {
    await unsubscribe(context, body.token)
    return { success: true as const, message: 'You are no longer subscribed.' }
  },
})
