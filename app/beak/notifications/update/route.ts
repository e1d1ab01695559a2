import { NotificationChange, Notifications } from '@/lib/domain/notifications/schema'
import { updateNotifications } from '@/lib/domain/notifications/update'
import { endpoint } from '@/lib/http/endpoint'

// Settings for mails about waiting pecks.
export const POST = endpoint({
  operationId: 'updateNotifications',
  summary: 'Change your notification settings',
  description:
    'Send only the settings that should change. Mails about requests wait until `quiet_hours` end. Quiet hours need a `time_zone`. `quiet_hours: null` switches quiet hours off. `channels.mail.requests: "none"` stops mails about requests. Codes and security notices are always sent.',
  remarks: [
    '`from` of the quiet hours may be later than `to`. A request that has ended when they end is left out. A changed setting also applies to requests that wait for their mail.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: NotificationChange,
  response: Notifications,
  attempt: 'notifications.updated',
  handle: (context, { body }) => updateNotifications(context, body),
})
