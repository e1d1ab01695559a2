import { afterQuiet, type QuietHours, startOfQuiet } from '@/lib/domain/notifications/quiet-hours'
import { mailPauseSeconds } from '@/lib/domain/notifications/schedule'
import { day, hour, minute, secondsAfter } from '@/lib/kernel/clock'

/** Pecks that wait for less than an hour get no reminder (contract F, Mail). */
const waitMinSeconds = hour
/** The longest time between the reminder and the end of the peck (contract F, Mail). */
const leadMaxSeconds = day
/** A reminder sooner after the announcement would only repeat it. */
export const reminderGapSeconds = 30 * minute

/**
 * Returns when the target of a peck is reminded: when a quarter of the time is left, at most a day before the end. When quiet hours would
 * delay the reminder until the peck has expired, it comes before the quiet hours. Null means never.
 */
export function reminderTime(createdAt: Date, expiresAt: Date, quiet: QuietHours | null): Date | null {
  const waitSeconds = (expiresAt.getTime() - createdAt.getTime()) / 1000
  if (waitSeconds < waitMinSeconds) return null
  const planned = secondsAfter(expiresAt, -Math.min(waitSeconds / 4, leadMaxSeconds))
  // The pause between two mails can delay the reminder.
  if (afterQuiet(planned, quiet) <= secondsAfter(expiresAt, -mailPauseSeconds)) return planned
  const earlier = secondsAfter(startOfQuiet(planned, quiet), -mailPauseSeconds)
  return earlier >= secondsAfter(createdAt, reminderGapSeconds) ? earlier : null
}
