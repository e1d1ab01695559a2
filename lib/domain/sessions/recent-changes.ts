/** The sensitive changes of the last hour, which the pages of the other sessions show (contract F, Sensitive changes). */
import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import { signal } from '@/lib/infrastructure/events/signals'
import type { AnnouncedChange } from '@/lib/infrastructure/mail/changes'
import { hour, secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { instant } from '@/lib/kernel/fields'

/** How long a change is shown. */
const shownSeconds = hour
const itemsMax = 20

export const RecentChange = z
  .object({
    change: z.string().meta({ description: 'What was changed, such as `webhook_deleted`.' }),
    name: z.string().meta({ description: 'The name of the agent, or the id of the webhook. May be empty.' }),
    at: instant,
  })
  .meta({ id: 'RecentChange' })

interface Item {
  change: string
  name: string
  at: string
  session: string
}

/** The events of the changes. An open page gets each of them from the event stream. */
export const changeEvents: Record<AnnouncedChange, EventKind> = {
  agent_registered: 'agent.registered',
  agent_prepared: 'agent.registered',
  agent_resumed: 'agent.resumed',
  key_in_addresses: 'agent.updated',
  webhook_created: 'webhook.created',
  webhook_prepared: 'webhook.created',
  webhook_changed: 'webhook.updated',
  webhook_deleted: 'webhook.deleted',
  webhook_secret_changed: 'webhook.rotated',
  channel_added: 'channel.added',
  channel_changed: 'channel.updated',
  channel_removed: 'channel.removed',
  handshake_made: 'agent.handshake_made',
  rule_created: 'rule.created',
  rule_changed: 'rule.updated',
  rules_weakened: 'duckling.updated',
  handle_claimed: 'handle.claimed',
  handle_released: 'handle.released',
  notifications_changed: 'notifications.updated',
  sessions_ended: 'session.revoked',
  session_disowned: 'session.revoked',
  signed_on: 'sso.issued',
  device_allowed: 'session.device_approved',
  email_changed: 'duckling.email_changed',
  key_rotated: 'key.rotated',
  passkey_added: 'passkey.registered',
  passkey_removed: 'passkey.removed',
  approver_set: 'approver.set',
  approver_removal_requested: 'approver.removal_requested',
  approver_kept: 'approver.kept',
  phone_changed: 'duckling.phone_changed',
}

/** Changes that take away what would warn the owner. */
export const silencing: ReadonlySet<AnnouncedChange> = new Set<AnnouncedChange>([
  'approver_removal_requested',
  'channel_changed',
  'channel_removed',
  'notifications_changed',
  'sessions_ended',
  'session_disowned',
  'webhook_changed',
  'webhook_deleted',
  'webhook_secret_changed',
])

/**
 * Adds a change at the end of the transaction, and wakes the open pages of the account. It replaces only an earlier change of the same kind by
 * the same session. When there are too many, changes that take away a warning stay, so that nothing pushes them out of view.
 */
export function rememberChange(
  tx: Tx,
  { caller, now }: DucklingContext,
  change: AnnouncedChange,
  name = '',
): void {
  signal(tx, caller.id)
  const item: Item = { change, name, at: now.toISOString(), session: caller.sessionId }
  const since = secondsAfter(now, -shownSeconds).toISOString()
  beforeCommit(
    tx,
    sql`
      INSERT INTO "RecentChange" AS r ("ducklingId", "items", "changedAt")
      VALUES (${caller.id}, jsonb_build_array(${JSON.stringify(item)}::jsonb), ${now}::timestamptz)
      ON CONFLICT ("ducklingId") DO UPDATE SET "changedAt" = EXCLUDED."changedAt", "items" = EXCLUDED."items" || (
        SELECT coalesce(jsonb_agg(kept.item ORDER BY kept.item ->> 'at' DESC), '[]') FROM (
          SELECT item FROM jsonb_array_elements(r."items") AS e (item)
          WHERE item ->> 'at' > ${since} AND NOT (item ->> 'session' = ${caller.sessionId} AND item ->> 'change' = ${change})
          ORDER BY item ->> 'change' = ANY(${[...silencing]}::text[]) DESC, item ->> 'at' DESC LIMIT ${itemsMax - 1}) kept)`,
  )
}

/** Selects the items of the duckling `d` in SQL. */
export const recentItems: Sql = sql`(SELECT "items" FROM "RecentChange" WHERE "ducklingId" = d."id")`

/** Returns the changes of the last hour that other sessions made: those that took away a warning first, and the newest first. */
export function changesOfOthers(
  items: Item[] | null,
  { caller, now }: DucklingContext,
): z.input<typeof RecentChange>[] {
  const since = secondsAfter(now, -shownSeconds)
  const weight = ({ change }: Item) => Number(silencing.has(change as AnnouncedChange))
  return (items ?? [])
    .filter(({ session, at }) => session !== caller.sessionId && new Date(at) > since)
    .sort((left, right) => weight(right) - weight(left) || right.at.localeCompare(left.at))
    .map(({ change, name, at }) => ({ change, name, at: new Date(at) }))
}
