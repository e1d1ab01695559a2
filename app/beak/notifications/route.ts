import { Notifications } from '@/lib/domain/notifications/schema'
import { ownNotifications } from '@/lib/domain/notifications/update'
import { endpoint } from '@/lib/http/endpoint'

// Settings for mails about waiting pecks.
export const GET = endpoint({
  operationId: 'getNotifications',
  summary: 'Get your notification settings',
  description:
    'Which waiting requests are announced on each channel, whether you get a reminder before a request expires, your quiet hours and your time zone. GET /beak/channel/list has the channels beside mail.',
  remarks: [
    'In a new account `channels.mail` has `requests: "all"`, `announces: ["high"]`, and true for `reminders`, `details` and `rules`. `high_breaks_quiet` (false) announces high risks of known askers during quiet hours and a pause too, and `shows_seen` (false) shows known askers when a request was opened first (`seen_at`). Without `time_zone`, times in mails are in the zone of the browser of the first visit, else in UTC.',
  ],
  auth: 'session',
  limit: 'authenticated',
  response: Notifications,
  handle: (context) => ownNotifications(context),
})
