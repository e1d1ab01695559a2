/** What an account wants to be told about, and when. Each channel has its own choices. Mail is the only channel so far. */
import type { Tx } from '@/lib/db/client'
import type { NotificationSettings } from '@/lib/db/generated/client'
import { type Sql, sql } from '@/lib/db/sql'
import type { QuietHours } from './quiet-hours'

/** About which waiting pecks a channel tells the account. `others`: those of other people and their agents. */
export const notifiedRequests = ['all', 'others', 'high_risk', 'none'] as const
export type NotifiedRequests = (typeof notifiedRequests)[number]

export type SettingsColumns = Omit<NotificationSettings, 'ducklingId'>

/** The settings of an account that never changed them. The columns have the same defaults. */
const defaultSettings: SettingsColumns = {
  mailRequests: 'all',
  mailReminders: true,
  quietFrom: null,
  quietTo: null,
  timeZone: null,
}

/** Returns the columns of the settings `s`, which are NULL when the account never changed them. */
export const settingsColumns: Sql = sql`s."mailRequests", s."mailReminders", s."quietFrom", s."quietTo", s."timeZone"`

/** Columns of the settings as a LEFT JOIN returns them. */
export type JoinedSettings = { [Column in keyof SettingsColumns]: SettingsColumns[Column] | null }

/** Returns the settings of a joined row: the defaults when the account has no row. */
export function settingsOf(row: JoinedSettings): SettingsColumns {
  const { mailRequests, mailReminders, quietFrom, quietTo, timeZone } = row
  if (mailRequests === null || mailReminders === null) return defaultSettings
  return { mailRequests, mailReminders, quietFrom, quietTo, timeZone }
}

/** Returns the quiet hours, or null when the account has none. */
export function quietHoursOf({
  quietFrom: from,
  quietTo: to,
  timeZone,
}: Pick<JoinedSettings, 'quietFrom' | 'quietTo' | 'timeZone'>): QuietHours | null {
  return from === null || to === null || timeZone === null ? null : { from, to, timeZone }
}

/** Returns the settings of an account. */
export async function readSettings(tx: Tx, ducklingId: string): Promise<SettingsColumns> {
  const [row] = await tx.rows<SettingsColumns>`
    SELECT ${settingsColumns} FROM "NotificationSettings" s WHERE s."ducklingId" = ${ducklingId}`
  return row ?? defaultSettings
}
