import { NotificationChange, Notifications } from '@/lib/domain/notifications/schema'
import { updateNotifications } from '@/lib/domain/notifications/update'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'updateNotifications',
  summary: 'Change what you are told about',
  description:
    'Send the settings that should change. Messages about requests wait until `quiet_hours`, which need a `time_zone`, end. `quiet_hours: null` ends them. `channels.mail.requests: "none"` stops mails about requests. Codes and security notices are always sent.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: NotificationChange,
  response: Notifications,
  attempt: 'notifications.updated',
  handle: (context, { body }) => updateNotifications(context, body),
})
