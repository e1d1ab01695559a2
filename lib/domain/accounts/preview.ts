import { db } from '@/lib/db/client'
import { joinRow, type Sql, sql } from '@/lib/db/sql'
import { liveStatuses } from '@/lib/domain/agents/schema'
import { activeGrantParts } from '@/lib/domain/pecks/grant/active'
import { isPendingAt } from '@/lib/domain/pecks/state'
import { previewMax } from '@/lib/kernel/closing-preview'
import type { DucklingContext } from '@/lib/kernel/context'
import type { ClosingPreview } from './schema'

/** Counts the rows of a statement, up to `previewMax`, so that a large account costs little more than a small one. */
const countOf = (...parts: Sql[]): Sql => {
  const counts = parts.map((part) => sql`(SELECT count(*) FROM (${part} LIMIT ${previewMax}) found)`)
  return sql`least(${counts.reduce((sum, count) => sql`${sum} + ${count}`)}, ${previewMax})::int`
}

/**
 * Counts what closing the caller's account would end now. Pecks are counted by side: those that the caller received, and those that the
 * caller sent to others. One statement with one part for each index.
 */
export async function previewClosing({ caller, now }: DucklingContext): Promise<ClosingPreview> {
  const { id } = caller
  const received = sql`"targetDucklingId" = ${id} AND NOT "blocked"`
  const sent = sql`"requesterDucklingId" = ${id} AND "targetDucklingId" <> ${id}`
  const pending = (side: Sql) => sql`SELECT 1 FROM "Peck" WHERE ${side} AND ${isPendingAt(now)}`
  const granted = (side: Sql) =>
    activeGrantParts(now).map((active) => sql`SELECT 1 FROM "Peck" WHERE ${side} AND ${active}`)
  const own = (table: Sql, condition = sql``) =>
    countOf(sql`SELECT 1 FROM ${table} WHERE "ducklingId" = ${id} ${condition}`)
  const isOpen = sql`AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz`
  const [counts] = await db().rows<ClosingPreview>`SELECT
    ${own(sql`"Certificate"`, sql`AND "status" = 'active'`)} AS "certificates",
    ${own(sql`"Agent"`, sql`AND "status"::text = ANY(${liveStatuses}::text[])`)} AS "agents",
    ${countOf(sql`SELECT 1 FROM "Agent" a ${joinRow('BeakKey', 'k', 'a."id"', 'activeFor')} WHERE a."ducklingId" = ${id}`)} AS "keys",
    ${countOf(pending(received), pending(sent))} AS "pecks_cancelled",
    ${countOf(...granted(received), ...granted(sent))} AS "grants_revoked",
    ${own(sql`"Passkey"`)} AS "passkeys",
    ${own(sql`"Session"`, isOpen)} AS "sessions",
    ${own(sql`"SsoToken"`, sql`${isOpen} AND "spentAt" IS NULL`)} AS "sso_tokens",
    ${own(sql`"WebhookEndpoint"`)} AS "webhooks",
    ${own(sql`"Rule"`, sql`AND "status" <> 'ended'`)} AS "rules"`
  if (counts === undefined) throw new Error('a statement without rows')
  return counts
}
