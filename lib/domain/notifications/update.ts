import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { lockCaller } from '@/lib/domain/sessions/lock'
import { recordSettingsChange } from '@/lib/domain/sessions/record-settings-change'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { reschedulePeckMail } from './schedule'
import {
  changedColumns,
  type NotificationChange,
  type NotificationsInput,
  presentNotifications,
} from './schema'
import { readSettings, type SettingsColumns } from './settings'

/** Returns the caller's settings. */
export async function ownNotifications({ caller }: DucklingContext): Promise<NotificationsInput> {
  return presentNotifications(await readSettings(db(), caller.id))
}

/**
 * Changes the given settings and returns all of them. Throws `invalid_request` for quiet hours without a time zone. Records nothing
 * when nothing changes.
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
    return presentNotifications(after)
  })
}

function requireTimeZone(context: DucklingContext<'invalid_request'>, settings: SettingsColumns): void {
  if (settings.quietFrom === null || settings.timeZone !== null) return
  throw context.fail('invalid_request', {
    errors: [{ field: 'time_zone', message: 'is required for quiet hours' }],
  })
}

/** The columns of each setting, by its name in the audit log. */
const columnsOf: Record<string, (keyof SettingsColumns)[]> = {
  mail_reminders: ['mailReminders'],
  mail_requests: ['mailRequests'],
  quiet_hours: ['quietFrom', 'quietTo'],
  time_zone: ['timeZone'],
}

function changedFields(before: SettingsColumns, after: SettingsColumns): string[] {
  return Object.entries(columnsOf)
    .filter(([, columns]) => columns.some((column) => before[column] !== after[column]))
    .map(([field]) => field)
}

/** Restores the default settings: for the first proof of an address, and for a closed account. */
export async function resetNotifications(tx: Tx, ducklingId: string): Promise<void> {
  await tx.notificationSettings.deleteMany({ where: { ducklingId } })
}
