import { Notifications } from '@/lib/domain/notifications/schema'
import { ownNotifications } from '@/lib/domain/notifications/update'
import { endpoint } from '@/lib/http/endpoint'

// Settings for mails about waiting pecks (contract B, notifications).
export const GET = endpoint({
  operationId: 'getNotifications',
  summary: 'Get your notification settings',
  description:
    'Which waiting requests are announced on each channel, whether you get a reminder before a request expires, your quiet hours and your time zone. Mail is the only channel so far.',
  auth: 'session',
  limit: 'authenticated',
  response: Notifications,
  handle: (context) => ownNotifications(context),
})
