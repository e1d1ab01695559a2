import { z } from 'zod'
import { canonicalTimeZone } from '@/lib/kernel/time-zone'
import { notifiedRequests, type SettingsColumns } from './settings'

const requests = z.enum(notifiedRequests).meta({
  description:
    'About which requests: `all`, only those of `others` and their agents, only those with a `high_risk`, or `none`',
})
const reminders = z
  .boolean()
  .meta({ description: 'Whether a second message is sent before a request expires' })

const clockTime = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, for instance 22:00')
  .meta({ description: 'Time of day in `time_zone`, as HH:MM' })

const quietHours = z
  .strictObject({ from: clockTime, to: clockTime })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'must differ from the start' })

const timeZone = z
  .string()
  .max(64, 'must have at most 64 characters')
  .transform((name, context) => {
    const canonical = canonicalTimeZone(name)
    if (canonical !== null) return canonical
    context.addIssue({ code: 'custom', message: 'must be a time zone, for instance Europe/Berlin' })
    return z.NEVER
  })
  .meta({ type: 'string', maxLength: 64, description: 'IANA name, for instance Europe/Berlin' })

/** The body of `POST /beak/notifications/update`. */
export const NotificationChange = z.strictObject({
  channels: z
    .strictObject({
      mail: z.strictObject({ requests: requests.optional(), reminders: reminders.optional() }).optional(),
    })
    .optional(),
  quiet_hours: quietHours.nullable().optional(),
  time_zone: timeZone.nullable().optional(),
})
export type NotificationChange = z.output<typeof NotificationChange>

/** The settings as their owner sees them. */
export const Notifications = z
  .object({
    channels: z.object({ mail: z.object({ requests, reminders }) }),
    quiet_hours: z
      .object({ from: clockTime, to: clockTime })
      .nullable()
      .meta({ description: 'Mails about requests wait until the quiet hours end. Null: no quiet hours' }),
    time_zone: z.string().nullable().meta({ description: 'IANA name. Null: unknown, times are in UTC' }),
  })
  .meta({ id: 'Notifications' })
export type NotificationsInput = z.input<typeof Notifications>

/** Returns a time of day as minutes after midnight. */
function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

function clockOf(minutes: number): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Returns the columns that a change sets. */
export function changedColumns(change: NotificationChange): Partial<SettingsColumns> {
  const { channels, quiet_hours: quiet, time_zone: zone } = change
  const { requests: mailRequests, reminders: mailReminders } = channels?.mail ?? {}
  return {
    ...(mailRequests === undefined ? {} : { mailRequests }),
    ...(mailReminders === undefined ? {} : { mailReminders }),
    ...(quiet === undefined
      ? {}
      : { quietFrom: quiet && minutesOf(quiet.from), quietTo: quiet && minutesOf(quiet.to) }),
    ...(zone === undefined ? {} : { timeZone: zone }),
  }
}

/** Returns the settings in wire form. */
export function presentNotifications(settings: SettingsColumns): NotificationsInput {
  const { mailRequests, mailReminders, quietFrom, quietTo, timeZone: zone } = settings
  return {
    channels: { mail: { requests: mailRequests, reminders: mailReminders } },
    quiet_hours:
      quietFrom === null || quietTo === null ? null : { from: clockOf(quietFrom), to: clockOf(quietTo) },
    time_zone: zone,
  }
}
