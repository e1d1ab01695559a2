/**
 * The only place that says in SQL which permissions are active. `grantStatusOf` (state.ts) says the same about a row that was read. The restore of
 * a backup uses it on the tables of the version that made the backup: 0.3.0 or a later one. So a newer column may not be read here.
 */

import { freeTextAction } from '@beak/decision/free-text'
import { testAction } from '@beak/decision/test-request'
import { db, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { recordPeck } from '@/lib/domain/pecks/record'
import { readPecks } from '@/lib/domain/pecks/rows'
import { systemActor } from '@/lib/infrastructure/events/record'
import { systemContext } from '@/lib/kernel/request/context'
import { describeError, log } from '@/lib/kernel/runtime/log'

/** Tells in SQL whether a permission has no use left. */
export const isUsedUp = sql`("maxUses" IS NOT NULL AND "uses" >= "maxUses")`

/**
 * Tells in SQL whether only its time can have ended a permission. `IS NOT TRUE` keeps the planner from "Peck_grant_end_idx", which has the
 * permissions of all people.
 */
const isUnended = (isUnrevoked: Sql) =>
  sql`"status" = 'approved' AND ${isUnrevoked} AND "grantEndHandled" IS NOT TRUE AND NOT ${isUsedUp}`

const isUnrevoked = sql`"grantRevokedAt" IS NULL`

/**
 * Returns the two parts of `isActiveGrant`, which exclude each other: permissions with an end, and those without. A statement for each part reads
 * one range of "Peck_living_grants_idx", or of "Peck_sent_grants_idx" for sent pecks.
 */
export function activeGrantParts(now: Date): Sql[] {
  return [
    sql`${isUnended(isUnrevoked)} AND "grantExpiresAt" > ${now}::timestamptz`,
    sql`${isUnended(isUnrevoked)} AND "grantExpiresAt" IS NULL`,
  ]
}

/**
 * Tells in SQL whether a peck gives an active permission, as `grantStatusOf` computes it. For received pecks it contains the conditions of
 * the index "Peck_living_grants_idx", so that no expired permission is read. That index begins with the target, so for sent pecks the
 * planner would read it as a whole while it is small: `COALESCE` keeps it away.
 */
export function isActiveGrant(now: Date, side: 'received' | 'sent' = 'received'): Sql {
  const isKept = side === 'received' ? isUnrevoked : sql`COALESCE(${isUnrevoked}, false)`
  return sql`(${isUnended(isKept)} AND ("grantExpiresAt" IS NULL OR "grantExpiresAt" > ${now}::timestamptz))`
}

/** Tells in SQL whether a permission has expired, as `grantStatusOf` computes it. */
export function isExpiredGrant(now: Date): Sql {
  return sql`("status" = 'approved' AND ${isUnrevoked} AND NOT ${isUsedUp}
    AND ("grantEndHandled" OR "grantExpiresAt" <= ${now}::timestamptz))`
}

/**
 * Permissions that end by their time, before they are used up. Each use compares the time, so the worker only tells both sides
 * (`peck.grant_expired`), once for each permission.
 */

const batchSize = 100

/** The conditions of the index "Peck_grant_end_idx". */
const isUnhandled = sql`"status" = 'approved' AND "grantRevokedAt" IS NULL AND NOT "grantEndHandled"`
/** Permissions whose end needs no event: both sides were told of the last use, or the approval permitted nothing. */
const isSilent = sql`(${isUsedUp} OR "action" IN (${testAction}, ${freeTextAction}))`

/** When the next permission ends whose end was not handled. */
export const nextGrantEnd = sql`
  SELECT "grantExpiresAt" FROM "Peck" WHERE ${isUnhandled} ORDER BY "grantExpiresAt" LIMIT 1`

/**
 * Tells of every permission that has ended, each in its own transaction. Called by the worker. One that fails is logged and tried again by the
 * next call, so that no row holds up the others.
 */
export async function expireGrants(now: Date): Promise<void> {
  for (let after = { grantExpiresAt: new Date(0), id: '' }; ; ) {
    const due = await db().rows<typeof after & { isSilent: boolean }>`
      SELECT "id", "grantExpiresAt", ${isSilent} AS "isSilent" FROM "Peck"
      WHERE ${isUnhandled} AND "grantExpiresAt" <= ${now}::timestamptz
        AND ("grantExpiresAt", "id") > (${after.grantExpiresAt}::timestamptz, ${after.id}::text)
      ORDER BY "grantExpiresAt", "id" LIMIT ${batchSize}`
    await handleSilently(due.filter((grant) => grant.isSilent).map(({ id }) => id))
    for (const { id } of due.filter((grant) => !grant.isSilent))
      await transaction((tx) => expireGrant(tx, id, now)).catch((error: unknown) =>
        log().error({ peck: id, error: describeError(error) }, 'the end of a permission was not told'),
      )
    const last = due.at(-1)
    if (last === undefined || due.length < batchSize) return
    after = last
  }
}

/** Does nothing when the permission was used up or revoked meanwhile, or when its end was told. */
async function expireGrant(tx: Tx, peckId: string, now: Date): Promise<void> {
  const [expired] = await readPecks(
    tx,
    sql`UPDATE "Peck" SET "grantEndHandled" = true
      WHERE "id" = ${peckId} AND ${isUnhandled} AND NOT ${isSilent} AND "grantExpiresAt" <= ${now}::timestamptz RETURNING *`,
  )
  if (expired) recordPeck(tx, systemContext(now), 'peck.grant_expired', expired, { actor: systemActor })
}

/** Takes permissions out of the index. Leaves out rows that a command has locked: the next call finds them. */
async function handleSilently(ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await db().run`
    UPDATE "Peck" SET "grantEndHandled" = true WHERE "id" IN (
      SELECT "id" FROM "Peck" WHERE "id" = ANY(${ids}::text[]) FOR NO KEY UPDATE SKIP LOCKED)`
}
