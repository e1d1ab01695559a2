import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { instant, timeOrNull } from '@/lib/kernel/request/fields'
import { canonicalTimeZone } from '@/lib/kernel/text/time-zone'
import { readClockTime } from '@/lib/kernel/typed/time'
import { notifiedRequests, type SettingsColumns } from './settings'

const requests = z.enum(notifiedRequests).meta({
  description:
    'About which requests: `all`, only those of `others` and their agents, only those with a `high_risk`, or `none`',
})
const reminders = z
  .boolean()
  .meta({ description: 'Whether a second message is sent before a request expires' })

const details = z.boolean().meta({
  description: 'Whether a mail about a request names its largest amount, or what the action is done to',
})

const rules = z.boolean().meta({
  description: 'Whether a mail a week has the numbers of what your rules answered',
})

/** The risks of requests, as channels distinguish them. */
export const riskLevels = ['high', 'medium', 'low'] as const

/** The risks of the requests that a channel announces, without repetitions. */
export const announces = z
  .array(z.enum(riskLevels))
  .max(riskLevels.length)
  .transform((levels) => riskLevels.filter((level) => levels.includes(level)))

const mailAnnounces = {
  description:
    'The risks that are mailed although another channel announces them. Others are mailed when no other channel announces them',
}

const clockTime = z
  .string()
  .overwrite(readClockTime)
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: m.field_clock_time_format })
  .meta({ description: 'Time of day in `time_zone`, as HH:MM' })

const quietHours = z
  .strictObject({ from: clockTime, to: clockTime })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: m.field_must_differ_from_the_start })

const timeZone = z
  .string()
  .max(64, { error: m.field_must_have_at_most_64_characters })
  .transform((name, context) => {
    const canonical = canonicalTimeZone(name)
    if (canonical !== null) return canonical
    context.addIssue({ code: 'custom', message: m.field_time_zone_format() })
    return z.NEVER
  })
  .meta({ type: 'string', maxLength: 64, description: 'IANA name, for instance Europe/Berlin' })

const gathered = z.boolean().meta({
  description:
    'Whether requests without a high risk are announced together, at 09:00, 13:00 and 18:00 in `time_zone`. One that expires before is announced at once',
})

/** The body of `POST /beak/notifications/update`. */
export const NotificationChange = z.strictObject({
  channels: z
    .strictObject({
      mail: z
        .strictObject({
          requests: requests.optional(),
          reminders: reminders.optional(),
          details: details.optional(),
          rules: rules.optional(),
          announces: announces.meta(mailAnnounces).optional(),
        })
        .optional(),
    })
    .optional(),
  quiet_hours: quietHours.nullable().optional(),
  time_zone: timeZone.nullable().optional(),
  paused_until: timeOrNull(
    'Messages about requests wait until then, at most 30 days from now. Null: no pause',
  ).optional(),
  high_breaks_quiet: z.boolean().optional(),
  shows_seen: z.boolean().optional(),
  gathered: gathered.optional(),
})
export type NotificationChange = z.output<typeof NotificationChange>

/** The settings as their owner sees them. */
export const Notifications = z
  .object({
    channels: z.object({
      mail: z.object({
        requests,
        reminders,
        details,
        rules,
        announces: z.array(z.enum(riskLevels)).meta(mailAnnounces),
      }),
    }),
    quiet_hours: z
      .object({ from: clockTime, to: clockTime })
      .nullable()
      .meta({ description: 'Messages about requests wait until the quiet hours end. Null: no quiet hours' }),
    time_zone: z.string().nullable().meta({ description: 'IANA name. Null: unknown, times are in UTC' }),
    paused_until: instant
      .nullable()
      .meta({ description: 'Messages about requests wait until then. Null: there is no pause' }),
    high_breaks_quiet: z.boolean().meta({
      description: 'Whether high risks of known askers are announced during quiet hours and a pause',
    }),
    shows_seen: z.boolean().meta({ description: 'Whether known askers see when you opened a request' }),
    gathered,
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
  const { channels, quiet_hours: quiet, time_zone: zone, paused_until: pausedUntil } = change
  const { high_breaks_quiet: highBreaksQuiet, shows_seen: showsSeen, gathered } = change
  const { requests: mailRequests, reminders: mailReminders, details: mailDetails } = channels?.mail ?? {}
  const { announces: mailAnnounces, rules: mailRules } = channels?.mail ?? {}
  return {
    ...(mailRequests === undefined ? {} : { mailRequests }),
    ...(mailReminders === undefined ? {} : { mailReminders }),
    ...(mailDetails === undefined ? {} : { mailDetails }),
    ...(mailRules === undefined ? {} : { mailRules }),
    ...(mailAnnounces === undefined ? {} : { mailAnnounces }),
    ...(pausedUntil === undefined ? {} : { pausedUntil }),
    ...(highBreaksQuiet === undefined ? {} : { highBreaksQuiet }),
    ...(showsSeen === undefined ? {} : { showsSeen }),
    ...(gathered === undefined ? {} : { gathered }),
    ...(quiet === undefined
      ? {}
      : { quietFrom: quiet && minutesOf(quiet.from), quietTo: quiet && minutesOf(quiet.to) }),
    ...(zone === undefined ? {} : { timeZone: zone }),
  }
}

/** Returns the settings in wire form. A pause that is over counts as none. */
export function presentNotifications(settings: SettingsColumns, now: Date): NotificationsInput {
  const { mailRequests, mailReminders, mailDetails, mailRules, mailAnnounces } = settings
  const { quietFrom, quietTo, timeZone: zone, pausedUntil } = settings
  const mail = {
    requests: mailRequests,
    reminders: mailReminders,
    details: mailDetails,
    rules: mailRules,
    announces: mailAnnounces,
  }
  return {
    channels: { mail },
    quiet_hours:
      quietFrom === null || quietTo === null ? null : { from: clockOf(quietFrom), to: clockOf(quietTo) },
    time_zone: zone,
    paused_until: pausedUntil !== null && pausedUntil > now ? pausedUntil : null,
    high_breaks_quiet: settings.highBreaksQuiet,
    shows_seen: settings.showsSeen,
    gathered: settings.gathered,
  }
}
