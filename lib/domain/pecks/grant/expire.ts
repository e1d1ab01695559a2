/**
 * Permissions that end by their time, before they are used up. Each use compares the time, so the worker only tells both sides
 * (`peck.grant_expired`), once for each permission.
 */
import { db, type Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { recordPeck } from '@/lib/domain/pecks/record'
import { readPecks } from '@/lib/domain/pecks/rows'
import { systemActor } from '@/lib/infrastructure/events/record'
import { systemContext } from '@/lib/kernel/context'
import { describeError, log } from '@/lib/kernel/log'
import { testAction } from '@/lib/kernel/test-request'
import { isUsedUp } from './active'

const batchSize = 100

/** The conditions of the index "Peck_grant_end_idx". */
const isUnhandled = sql`"status" = 'approved' AND "grantRevokedAt" IS NULL AND NOT "grantEndHandled"`
/** Permissions whose end needs no event: both sides were told of the last use, and a test request permits nothing. */
const isSilent = sql`(${isUsedUp} OR "action" = ${testAction})`

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
