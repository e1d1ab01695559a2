import { Notifications } from '@/lib/domain/notifications/schema'
import { ownNotifications } from '@/lib/domain/notifications/update'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getNotifications',
  summary: 'See what you are told about',
  description:
    'About which waiting requests each channel tells you, whether you are reminded before a request expires, your quiet hours and your time zone. The only channel so far is mail.',
  auth: 'session',
  limit: 'authenticated',
  response: Notifications,
  handle: (context) => ownNotifications(context),
})
