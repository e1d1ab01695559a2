/** Quiet hours: the part of each day in which an account gets no mails about waiting pecks. */

import type { Tx } from '@/lib/db/client'
import type { NotificationSettings } from '@/lib/db/generated/client'
import { type Sql, sql } from '@/lib/db/sql'
import { latest, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { minuteOfDay } from '@/lib/kernel/text/time-zone'

/** From `from` up to, but not including, `to`: minutes after midnight. `from` may be later than `to`: then they include midnight. */
export interface QuietHours {
  from: number
  to: number
  timeZone: string
}

const minutesPerDay = 24 * 60

const isBetween = (time: number, { from, to }: Pick<QuietHours, 'from' | 'to'>) =>
  from < to ? from <= time && time < to : time >= from || time < to

const isQuiet = (at: Date, quiet: QuietHours) => isBetween(minuteOfDay(at, quiet.timeZone), quiet)

const wholeMinute = (at: Date) => new Date(Math.floor(at.getTime() / 60_000) * 60_000)
const minutesAfter = (at: Date, minutes: number) => secondsAfter(at, minutes * minute)
/** The minutes from one time of day forward to another. */
const minutesBetween = (from: number, to: number) => (to - from + 2 * minutesPerDay) % minutesPerDay

/**
 * Returns the first time from `at` on that is not quiet. A time of day that the clock skips counts as reached when the clock has
 * passed it.
 */
export function afterQuiet(at: Date, quiet: QuietHours | null): Date {
  if (quiet === null || !isQuiet(at, quiet)) return at
  const start = wholeMinute(at)
  const guess = minutesAfter(start, minutesBetween(minuteOfDay(start, quiet.timeZone), quiet.to))
  let end = minutesAfter(guess, drift(guess, quiet.to, quiet.timeZone))
  while (isQuiet(end, quiet)) end = minutesAfter(end, 1)
  return end
}

/** Returns the last time before `at` at which the quiet hours around `at` began, or `at` itself when it is not quiet. */
export function startOfQuiet(at: Date, quiet: QuietHours | null): Date {
  if (quiet === null || !isQuiet(at, quiet)) return at
  const end = wholeMinute(at)
  const guess = minutesAfter(end, -minutesBetween(quiet.from, minuteOfDay(end, quiet.timeZone)))
  let start = minutesAfter(guess, drift(guess, quiet.from, quiet.timeZone))
  while (!isQuiet(start, quiet)) start = minutesAfter(start, 1)
  return start
}

/** The minutes from a guess to the time of day that it should have. Not 0 when the clock was changed in between. */
function drift(guess: Date, timeOfDay: number, timeZone: string): number {
  const half = minutesPerDay / 2
  return minutesBetween(minuteOfDay(guess, timeZone) + half, timeOfDay) - half
}

/** When requests are announced that come together: minutes after midnight. */
const gatheringTimes = [9 * 60, 13 * 60, 18 * 60]
/** Minutes in which those that come a little late are still announced. */
const gatheringMinutes = 15

/** Returns the first time from `at` on at which gathered requests are announced. The end of quiet hours is such a time, too. */
function afterGathering(at: Date, quiet: QuietHours | null, timeZone: string): Date {
  const awake = gatheringTimes.filter((time) => quiet === null || !isBetween(time, quiet))
  const times = quiet === null ? awake : [...awake, quiet.to]
  const now = minuteOfDay(at, timeZone)
  const nearest = (distance: (time: number) => number) =>
    times.reduce((best, time) => (distance(time) < distance(best) ? time : best))
  const last = nearest((time) => minutesBetween(time, now))
  const to = nearest((time) => minutesBetween(now, time))
  if (minutesBetween(last, now) < gatheringMinutes) return at
  return afterQuiet(at, { from: (last + gatheringMinutes) % minutesPerDay, to, timeZone })
}

/** What an account wants to be told about, and when. Here are the choices for mail, and those for all channels. */

/** About which waiting pecks a channel tells the account. `others`: those of other people and their agents. */
export const notifiedRequests = ['all', 'others', 'high_risk', 'none'] as const
export type NotifiedRequests = (typeof notifiedRequests)[number]

export type SettingsColumns = Omit<NotificationSettings, 'ducklingId'>

/** The settings of an account that never changed them. The columns have the same defaults. */
const defaultSettings: SettingsColumns = {
  mailRequests: 'all',
  mailReminders: true,
  mailDetails: true,
  mailRules: true,
  quietFrom: null,
  quietTo: null,
  timeZone: null,
  mailAnnounces: ['high'],
  pausedUntil: null,
  highBreaksQuiet: false,
  showsSeen: false,
  gathered: false,
}

/** Returns the columns of the settings `s`, which are NULL when the account never changed them. */
export const settingsColumns: Sql = sql`s."mailRequests", s."mailReminders", s."mailDetails", s."mailRules", s."quietFrom", s."quietTo", s."timeZone",
  s."mailAnnounces"::text[] AS "mailAnnounces", s."pausedUntil", s."highBreaksQuiet", s."showsSeen", s."gathered"`

/** Columns of the settings as a LEFT JOIN returns them. */
export type JoinedSettings = { [Column in keyof SettingsColumns]: SettingsColumns[Column] | null }

/** Returns the settings of a joined row: the defaults when the account has no row. */
export function settingsOf(row: JoinedSettings): SettingsColumns {
  const { mailRequests, mailReminders, mailDetails, mailRules, mailAnnounces } = row
  const { highBreaksQuiet, showsSeen, gathered } = row
  if (mailRequests === null || mailReminders === null || mailDetails === null) return defaultSettings
  if (mailRules === null) return defaultSettings
  if (mailAnnounces === null || highBreaksQuiet === null || showsSeen === null) return defaultSettings
  if (gathered === null) return defaultSettings
  const { quietFrom, quietTo, timeZone, pausedUntil } = row
  return {
    mailRequests,
    mailReminders,
    mailDetails,
    mailRules,
    quietFrom,
    quietTo,
    timeZone,
    mailAnnounces,
    pausedUntil,
    highBreaksQuiet,
    showsSeen,
    gathered,
  }
}

/** Returns the quiet hours, or null when the account has none. */
export function quietHoursOf({
  quietFrom: from,
  quietTo: to,
  timeZone,
}: Pick<JoinedSettings, 'quietFrom' | 'quietTo' | 'timeZone'>): QuietHours | null {
  return from === null || to === null || timeZone === null ? null : { from, to, timeZone }
}

/** A request as far as it decides when the account is told about it. */
export interface Announced {
  isHighOfKnown: boolean
  /** When a request without a high risk expires. Null: it has a high risk, which is never gathered. */
  restUntil: Date | null
}

/**
 * Returns the first time from `at` on at which the account is told about a request: after a pause and quiet hours, and with `gathered` at the next
 * common time, unless the request expires before.
 */
export function announcedFrom(settings: SettingsColumns, at: Date, announced: Announced): Date {
  if (announced.isHighOfKnown && settings.highBreaksQuiet) return at
  const quiet = quietHoursOf(settings)
  const awake = afterQuiet(latest([at, settings.pausedUntil ?? at]), quiet)
  if (!settings.gathered || announced.restUntil === null) return awake
  const gathered = afterGathering(awake, quiet, settings.timeZone ?? 'UTC')
  return gathered < announced.restUntil ? gathered : awake
}

/** Returns the settings of an account. */
export async function readSettings(tx: Tx, ducklingId: string): Promise<SettingsColumns> {
  const [row] = await tx.rows<SettingsColumns>`
    SELECT ${settingsColumns} FROM "NotificationSettings" s WHERE s."ducklingId" = ${ducklingId}`
  return row ?? defaultSettings
}
