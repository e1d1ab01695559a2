/** The sensitive changes of the last hour, which the pages of the other sessions show (contract F, Sensitive changes). */
import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import { signal } from '@/lib/infrastructure/events/signals'
import type { AnnouncedChange } from '@/lib/infrastructure/mail/changes'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { instant } from '@/lib/kernel/request/fields'
import { day, hour, secondsAfter } from '@/lib/kernel/runtime/clock'
import { proofSeconds } from './proof'

/** How long a change is shown. */
const shownSeconds = hour
const itemsMax = 20

export const RecentChange = z
  .object({
    change: z.string().meta({ description: 'What was changed, such as `webhook_deleted`.' }),
    name: z
      .string()
      .meta({ description: 'The name of the agent, or the host of the webhook. May be empty.' }),
    at: instant,
    first_day: z
      .boolean()
      .meta({ description: 'The account is less than a day old: a calm line is enough.' }),
    session: z
      .object({
        session_id: z.string(),
        user_agent: z.string().nullable(),
        name: z.string().nullable().meta({ description: 'The name that an approved device gave itself.' }),
        ip: z.string().nullable(),
        auth_time: instant.meta({ description: 'When it signed in.' }),
        ended_at: instant.nullable().meta({ description: 'Null while it is live.' }),
      })
      .nullable()
      .meta({ description: 'The session that made the change, also after its end.' }),
  })
  .meta({ id: 'RecentChange' })

/** As it is stored. */
interface Item {
  change: string
  name: string
  at: string
  session: string
  /** A passkey that vouches for the change: it confirmed the session, and the account had it before the session began and for a day. */
  passkey?: string | null
}

/** As it is read: with its session, and whether the account still has the passkey that vouches for it. */
interface ReadItem extends Item {
  isVouched: boolean
  of: {
    userAgent: string | null
    name: string | null
    ip: string | null
    authTime: string
    endedAt: string | null
  } | null
}

/** How long an account must have had a passkey that vouches for a change, and how long a new account is told calmly. */
const trustedSeconds = day

/** The events of the changes. An open page gets each of them from the event stream. */
export const changeEvents: Record<AnnouncedChange, EventKind> = {
  agent_registered: 'agent.registered',
  agent_prepared: 'agent.registered',
  agent_resumed: 'agent.resumed',
  agent_may_more: 'agent.updated',
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
  rule_paused: 'rule.paused',
  rule_ended: 'rule.ended',
  rules_weakened: 'duckling.updated',
  name_changed: 'duckling.renamed',
  name_taken_back: 'duckling.renamed',
  handle_claimed: 'handle.claimed',
  handle_released: 'handle.released',
  notifications_changed: 'notifications.updated',
  sessions_ended: 'session.revoked',
  session_disowned: 'session.revoked',
  signed_on: 'sso.issued',
  site_allowed: 'site.allowed',
  site_registered: 'site.registered',
  site_changed: 'site.updated',
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
  // A thief may have added a passkey, before the session or during it.
  const passkey = sql`(SELECT p."id" FROM "Session" s JOIN "Passkey" p ON p."id" = s."passkeyId"
    WHERE s."id" = ${caller.sessionId} AND s."passkeyAt" >= ${secondsAfter(now, -proofSeconds)}::timestamptz AND p."ducklingId" = s."ducklingId"
      AND p."createdAt" <= s."createdAt" AND p."createdAt" <= ${secondsAfter(now, -trustedSeconds)}::timestamptz)`
  beforeCommit(
    tx,
    sql`
      INSERT INTO "RecentChange" AS r ("ducklingId", "items", "changedAt")
      VALUES (${caller.id}, jsonb_build_array(${JSON.stringify(item)}::jsonb || jsonb_build_object('passkey', ${passkey})), ${now}::timestamptz)
      ON CONFLICT ("ducklingId") DO UPDATE SET "changedAt" = EXCLUDED."changedAt", "items" = EXCLUDED."items" || (
        SELECT coalesce(jsonb_agg(kept.item ORDER BY kept.item ->> 'at' DESC), '[]') FROM (
          SELECT item FROM jsonb_array_elements(r."items") AS e (item)
          WHERE item ->> 'at' > ${since} AND NOT (item ->> 'session' = ${caller.sessionId} AND item ->> 'change' = ${change})
          ORDER BY item ->> 'change' = ANY(${[...silencing]}::text[]) DESC, item ->> 'at' DESC LIMIT ${itemsMax - 1}) kept)`,
  )
}

/** Selects the items of the duckling `d` in SQL. A passkey that was removed vouches for nothing. */
export const recentItems: Sql = sql`(
  SELECT jsonb_agg(e.item || jsonb_build_object(
    'isVouched', EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = e.item ->> 'passkey' AND p."ducklingId" = d."id"),
    'of', (SELECT jsonb_build_object('userAgent', s."userAgent", 'name', s."name", 'ip', s."ip", 'authTime', s."authTime",
        'endedAt', coalesce(s."revokedAt", s."expiresAt"))
      FROM "Session" s WHERE s."id" = e.item ->> 'session' AND s."ducklingId" = d."id")))
  FROM "RecentChange" r, jsonb_array_elements(r."items") AS e (item) WHERE r."ducklingId" = d."id")`

/**
 * Returns the changes of the last hour that other sessions made and no passkey vouches for: those that took away a warning first, and the newest
 * first. `memberSince`: when the account was made.
 */
export function changesOfOthers(
  items: ReadItem[] | null,
  memberSince: Date,
  { caller, now }: DucklingContext,
): z.input<typeof RecentChange>[] {
  const since = secondsAfter(now, -shownSeconds)
  const isFirstDay = memberSince > secondsAfter(now, -trustedSeconds)
  const weight = ({ change }: Item) => Number(silencing.has(change as AnnouncedChange))
  return (items ?? [])
    .filter(
      ({ session, at, isVouched }) => session !== caller.sessionId && new Date(at) > since && !isVouched,
    )
    .sort((left, right) => weight(right) - weight(left) || right.at.localeCompare(left.at))
    .map(({ change, name, at, session, of }) => ({
      change,
      name,
      at: new Date(at),
      first_day: isFirstDay,
      session: of && {
        session_id: session,
        user_agent: of.userAgent,
        name: of.name,
        ip: of.ip,
        auth_time: new Date(of.authTime),
        ended_at: of.endedAt !== null && new Date(of.endedAt) <= now ? new Date(of.endedAt) : null,
      },
    }))
}
