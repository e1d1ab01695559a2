/** What an account wants to be told about, and when. Here are the choices for mail, and those for all channels. */
import type { Tx } from '@/lib/db/client'
import type { NotificationSettings } from '@/lib/db/generated/client'
import { type Sql, sql } from '@/lib/db/sql'
import { latest } from '@/lib/kernel/clock'
import { afterQuiet, type QuietHours } from './quiet-hours'

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
}

/** Returns the columns of the settings `s`, which are NULL when the account never changed them. */
export const settingsColumns: Sql = sql`s."mailRequests", s."mailReminders", s."mailDetails", s."mailRules", s."quietFrom", s."quietTo", s."timeZone",
  s."mailAnnounces"::text[] AS "mailAnnounces", s."pausedUntil", s."highBreaksQuiet", s."showsSeen"`

/** Columns of the settings as a LEFT JOIN returns them. */
export type JoinedSettings = { [Column in keyof SettingsColumns]: SettingsColumns[Column] | null }

/** Returns the settings of a joined row: the defaults when the account has no row. */
export function settingsOf(row: JoinedSettings): SettingsColumns {
  const { mailRequests, mailReminders, mailDetails, mailRules, mailAnnounces, highBreaksQuiet, showsSeen } =
    row
  if (mailRequests === null || mailReminders === null || mailDetails === null) return defaultSettings
  if (mailRules === null) return defaultSettings
  if (mailAnnounces === null || highBreaksQuiet === null || showsSeen === null) return defaultSettings
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

/** Returns the first time from `at` on at which the account is told about a request: after a pause and quiet hours. */
export function announcedFrom(settings: SettingsColumns, at: Date, isHighOfKnown: boolean): Date {
  if (isHighOfKnown && settings.highBreaksQuiet) return at
  return afterQuiet(latest([at, settings.pausedUntil ?? at]), quietHoursOf(settings))
}

/** Returns the settings of an account. */
export async function readSettings(tx: Tx, ducklingId: string): Promise<SettingsColumns> {
  const [row] = await tx.rows<SettingsColumns>`
    SELECT ${settingsColumns} FROM "NotificationSettings" s WHERE s."ducklingId" = ${ducklingId}`
  return row ?? defaultSettings
}
