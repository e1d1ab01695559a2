import { isDeepStrictEqual } from 'node:util'
import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { announceChange, recordSettingsChange } from '@/lib/domain/sessions/announce-change'
import { lockCaller } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { m } from '@/lib/kernel/messages'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { reschedulePeckMail } from './schedule'
import {
  changedColumns,
  type NotificationChange,
  type NotificationsInput,
  presentNotifications,
} from './schema'
import { readSettings, type SettingsColumns } from './settings'

/** Returns the caller's settings. */
export async function ownNotifications({ caller, now }: DucklingContext): Promise<NotificationsInput> {
  return presentNotifications(await readSettings(db(), caller.id), now)
}

/**
 * Changes the given settings and returns all of them. Throws `invalid_request` for quiet hours without a time zone, and for a pause that is
 * over or too long. Records nothing when nothing changes.
 */
export function updateNotifications(
  context: DucklingContext<'invalid_request' | 'session_invalid'>,
  change: NotificationChange,
): Promise<NotificationsInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    await lockCaller(tx, context)
    const before = await readSettings(tx, caller.id)
    const after = { ...before, ...changedColumns(change) }
    requireTimeZone(context, after)
    if (change.paused_until) requirePause(context, change.paused_until)
    const fields = changedFields(before, after)
    if (fields.length > 0) {
      await tx.notificationSettings.upsert({
        where: { ducklingId: caller.id },
        create: { ducklingId: caller.id, ...after },
        update: changedColumns(change),
      })
      await recordSettingsChange(tx, context)
      record(tx, context, 'notifications.updated', {
        targets: [{ type: 'duckling', id: caller.id }],
        metadata: { fields },
      })
      announceChange(tx, context, 'notifications_changed')
      reschedulePeckMail(tx, now, caller.id)
    }
    return presentNotifications(after, now)
  })
}

function requireTimeZone(context: DucklingContext<'invalid_request'>, settings: SettingsColumns): void {
  if (settings.quietFrom === null || settings.timeZone !== null) return
  throw context.fail('invalid_request', {
    errors: [{ field: 'time_zone', message: m.field_is_required_for_quiet_hours() }],
  })
}

/** The longest pause. */
const pauseSecondsMax = 30 * day

function requirePause({ now, fail }: DucklingContext<'invalid_request'>, until: Date): void {
  if (until > now && until <= secondsAfter(now, pauseSecondsMax)) return
  throw fail('invalid_request', {
    errors: [{ field: 'paused_until', message: m.field_must_be_in_the_next_30_days() }],
  })
}

/** The columns of each setting, by its name in the audit log. */
const columnsOf: Record<string, (keyof SettingsColumns)[]> = {
  gathered: ['gathered'],
  high_breaks_quiet: ['highBreaksQuiet'],
  mail_announces: ['mailAnnounces'],
  mail_details: ['mailDetails'],
  mail_reminders: ['mailReminders'],
  mail_requests: ['mailRequests'],
  mail_rules: ['mailRules'],
  paused_until: ['pausedUntil'],
  quiet_hours: ['quietFrom', 'quietTo'],
  shows_seen: ['showsSeen'],
  time_zone: ['timeZone'],
}

function changedFields(before: SettingsColumns, after: SettingsColumns): string[] {
  return Object.entries(columnsOf)
    .filter(([, columns]) => columns.some((column) => !isDeepStrictEqual(before[column], after[column])))
    .map(([field]) => field)
}

/** Restores the default settings: for the first proof of an address, and for a closed account. */
export async function resetNotifications(tx: Tx, ducklingId: string): Promise<void> {
  await tx.notificationSettings.deleteMany({ where: { ducklingId } })
}
