/** The recent sensitive changes, which the pages of the other sessions show (contract F, Sensitive changes). */
import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import { signal } from '@/lib/infrastructure/events/signals'
import { type AnnouncedChange, takeovers } from '@/lib/infrastructure/mail/changes'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { instant } from '@/lib/kernel/request/fields'
import { day, hour, secondsAfter } from '@/lib/kernel/runtime/clock'
import { proofSeconds } from './proof'

/** How long a change is shown to everybody. */
const shownSeconds = hour
/** How long a change is kept for a browser that reported it. */
const keptSeconds = 7 * day
/** Further changes are only counted. */
const itemsMax = 40

export const RecentChange = z
  .object({
    change: z.string().meta({ description: 'What was changed, such as `webhook_deleted`.' }),
    name: z
      .string()
      .meta({ description: 'The name of the agent, or the host of the webhook. May be empty.' }),
    id: z.string().nullable().meta({ description: 'The id of the agent or webhook, or null.' }),
    at: instant,
    more: z.int().meta({
      description: 'How many further changes of the session are not listed. 0 for almost all changes.',
    }),
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
  /** That of the agent or webhook. */
  id?: string
  /** How many further changes of the session were left out. */
  more?: number
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
  guard_alarms_off: 'agent.alarms_off',
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
  everything_paused: 'rule.paused',
  everything_resumed: 'rule.resumed',
  rules_weakened: 'duckling.updated',
  name_changed: 'duckling.renamed',
  name_taken_back: 'duckling.renamed',
  handle_claimed: 'handle.claimed',
  handle_released: 'handle.released',
  notifications_changed: 'notifications.updated',
  sessions_ended: 'session.revoked',
  connections_ended: 'agent.disconnected',
  session_disowned: 'session.revoked',
  signed_on: 'sso.issued',
  site_allowed: 'site.allowed',
  site_registered: 'site.registered',
  site_changed: 'site.updated',
  site_deleted: 'site.deleted',
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
  'guard_alarms_off',
  'notifications_changed',
  'sessions_ended',
  'session_disowned',
  'webhook_changed',
  'webhook_deleted',
  'webhook_secret_changed',
])

/** Changes after which more is possible without the owner. */
const allowing: AnnouncedChange[] = [
  'agent_may_more',
  'agent_registered',
  'agent_resumed',
  'channel_added',
  'everything_resumed',
  'handshake_made',
  'key_in_addresses',
  'key_rotated',
  'rule_changed',
  'rule_created',
  'rules_weakened',
  'signed_on',
  'site_allowed',
  'webhook_created',
]

/** The more dangerous kinds of changes first. Changes of no kind come last. */
const kinds: readonly (readonly string[])[] = [takeovers, [...silencing], allowing]

/** Returns the place of a change among the kinds: 0 for the most dangerous one. */
export function placeByDanger(change: string): number {
  const place = kinds.findIndex((kind) => kind.includes(change))
  return place === -1 ? kinds.length : place
}

const placeInSql = sql`CASE
  WHEN item ->> 'change' = ANY(${takeovers.slice()}::text[]) THEN 0
  WHEN item ->> 'change' = ANY(${[...silencing]}::text[]) THEN 1
  WHEN item ->> 'change' = ANY(${allowing}::text[]) THEN 2
  ELSE 3 END`

const moreInSql = sql`coalesce((item ->> 'more')::int, 0)`

/**
 * Adds a change at the end of the transaction, and wakes the open pages of the account. When there are too many, those of the last hour stay
 * before older ones, then the newest of each kind and session, then the most dangerous ones, so that nothing pushes them out of view. The others
 * are counted at the newest change of their session. `id`: that of the agent or webhook.
 */
export function rememberChange(
  tx: Tx,
  { caller, now }: DucklingContext,
  change: AnnouncedChange,
  name = '',
  id = '',
): void {
  signal(tx, caller.id)
  const item: Item = {
    change,
    name,
    at: now.toISOString(),
    session: caller.sessionId,
    ...(id === '' ? {} : { id }),
  }
  const [shownSince, keptSince] = [shownSeconds, keptSeconds].map((seconds) =>
    secondsAfter(now, -seconds).toISOString(),
  )
  // A thief may have added a passkey, before the session or during it.
  const passkey = sql`(SELECT p."id" FROM "Session" s JOIN "Passkey" p ON p."id" = s."passkeyId"
    WHERE s."id" = ${caller.sessionId} AND s."passkeyAt" >= ${secondsAfter(now, -proofSeconds)}::timestamptz AND p."ducklingId" = s."ducklingId"
      AND p."createdAt" <= s."createdAt" AND p."createdAt" <= ${secondsAfter(now, -trustedSeconds)}::timestamptz)`
  beforeCommit(
    tx,
    sql`
      INSERT INTO "RecentChange" AS r ("ducklingId", "items", "changedAt")
      VALUES (${caller.id}, jsonb_build_array(${JSON.stringify(item)}::jsonb || jsonb_build_object('passkey', ${passkey})), ${now}::timestamptz)
      ON CONFLICT ("ducklingId") DO UPDATE SET "changedAt" = EXCLUDED."changedAt", "items" = (
        SELECT jsonb_agg(CASE WHEN nth = 1 AND left_out > 0
          THEN item || jsonb_build_object('more', ${moreInSql} + left_out) ELSE item END ORDER BY item ->> 'at' DESC)
        FROM (
          SELECT item, place, sum(CASE WHEN place > ${itemsMax} THEN 1 + ${moreInSql} ELSE 0 END) OVER of_session AS left_out,
            row_number() OVER (of_session ORDER BY place > ${itemsMax}, item ->> 'at' DESC) AS nth
          FROM (
            SELECT item, row_number() OVER (
              ORDER BY item ->> 'at' <= ${shownSince}, nth_of_kind > 1, ${placeInSql}, item ->> 'at' DESC) AS place
            FROM (
              SELECT item, row_number() OVER (
                PARTITION BY item ->> 'session', item ->> 'change' ORDER BY item ->> 'at' DESC) AS nth_of_kind
              FROM jsonb_array_elements(EXCLUDED."items" || r."items") AS e (item) WHERE item ->> 'at' > ${keptSince}) of_kinds) placed
          WINDOW of_session AS (PARTITION BY item ->> 'session')) counted
        WHERE place <= ${itemsMax})`,
  )
}

/**
 * Returns since when changes are shown: for an hour, or since a time that a page asks for, at most as long as they are kept.
 */
export function shownSince(now: Date, asked?: Date): Date {
  const [usual, earliest] = [secondsAfter(now, -shownSeconds), secondsAfter(now, -keptSeconds)]
  if (asked === undefined || asked > usual) return usual
  return asked < earliest ? earliest : asked
}

/** Selects the items of the duckling `d` since a time in SQL. A passkey that was removed vouches for nothing. */
export const recentItems = (since: Date): Sql => sql`(
  SELECT jsonb_agg(e.item || jsonb_build_object(
    'isVouched', EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = e.item ->> 'passkey' AND p."ducklingId" = d."id"),
    'of', (SELECT jsonb_build_object('userAgent', s."userAgent", 'name', s."name", 'ip', s."ip", 'authTime', s."authTime",
        'endedAt', coalesce(s."revokedAt", s."expiresAt"))
      FROM "Session" s WHERE s."id" = e.item ->> 'session' AND s."ducklingId" = d."id")))
  FROM "RecentChange" r, jsonb_array_elements(r."items") AS e (item)
  WHERE r."ducklingId" = d."id" AND e.item ->> 'at' >= ${since.toISOString()})`

/**
 * Returns the changes that other sessions made and no passkey vouches for: the most dangerous ones first, and of those the newest first.
 * `items`: as `recentItems` selects them. `memberSince`: when the account was made.
 */
export function changesOfOthers(
  items: ReadItem[] | null,
  memberSince: Date,
  { caller, now }: DucklingContext,
): z.input<typeof RecentChange>[] {
  const isFirstDay = memberSince > secondsAfter(now, -trustedSeconds)
  return (items ?? [])
    .filter(({ session, isVouched }) => session !== caller.sessionId && !isVouched)
    .sort(
      (left, right) =>
        placeByDanger(left.change) - placeByDanger(right.change) || right.at.localeCompare(left.at),
    )
    .map(({ change, name, id, at, more, session, of }) => ({
      change,
      name,
      id: id ?? null,
      at: new Date(at),
      more: more ?? 0,
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
