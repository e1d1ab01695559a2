/**
 * What every use of a permission shares. The digest of the grant token finds the permission, and its locked row says whether it is active. So
 * exactly one of many simultaneous uses of a one-use permission succeeds.
 */
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, insertAtEnd } from '@/lib/db/transaction'
import { requiredUnpaused } from '@/lib/domain/agents/pause'
import { recordPeck } from '@/lib/domain/pecks/record'
import { lockPeckOfToken, type PeckRow, type PresentedGrant } from '@/lib/domain/pecks/rows'
import { grantStatusOf } from '@/lib/domain/pecks/state'
import { enqueueUse } from '@/lib/domain/tlog/enqueue'
import type { Caller, Context, Fails } from '@/lib/kernel/request/context'
import type { Failure, FailureExtras, FailureName } from '@/lib/kernel/request/failures'
import { grantDigest } from './tokens'

/** Returns the digest of a presented token. Throws `grant_token_invalid` for a malformed token, before a transaction is opened. */
export function getGrantDigest(context: Fails<'grant_token_invalid'>, grantToken: string): Uint8Array {
  const digest = grantDigest(grantToken)
  if (digest === null) throw context.fail('grant_token_invalid')
  return digest
}

/**
 * Locks and returns the peck of a presented token, whether or not its permission is active. Throws `grant_token_invalid` for a token that
 * the service never issued.
 */
export async function lockGrantedPeck(
  tx: Tx,
  context: Fails<'grant_token_invalid'>,
  digest: Uint8Array,
): Promise<PresentedGrant> {
  const peck = await lockPeckOfToken(tx, digest)
  if (peck === null) throw context.fail('grant_token_invalid')
  return peck
}

/**
 * Throws `grant_not_active` unless the permission is active now, `grant_token_invalid` when the token has expired, and `paused` while the
 * target has paused everything.
 */
export function checkGrantActive(
  context: Context<Caller, 'grant_not_active' | 'grant_token_invalid' | 'paused'>,
  peck: PresentedGrant,
): void {
  const { now } = context
  const status = grantStatusOf(peck, now)
  if (status !== 'active')
    throw refuseUse(context, peck, 'grant_not_active', { current_status: status ?? peck.status })
  // The grants of a suspended agent cannot be used until it is resumed (contract D3).
  if (peck.agentStatus !== null && peck.agentStatus !== 'bonded')
    throw refuseUse(context, peck, 'grant_not_active', { current_status: peck.agentStatus })
  // The owner of a suspended account cannot revoke what the account has approved (contract E, Suspended accounts).
  if (peck.isSuspended) throw refuseUse(context, peck, 'grant_not_active', { current_status: 'suspended' })
  if (peck.presentedExpiresAt <= now) throw refuseUse(context, peck, 'grant_token_invalid')
  if (peck.isPaused) throw refusePaused(context, peck)
}

const refusePaused = (context: Fails<'paused'>, peck: PeckRow) =>
  refuseUse(context, peck, 'paused', { current_status: 'paused' })

/** Of each permission this many uses are kept. */
export const usesKept = 100

/**
 * Spends one use of a locked and active permission and records it for both sides. The last statement counts the use, and throws `paused` when
 * the target has paused everything meanwhile. `audience`: the host name that the service gave.
 */
export function spendGrant(
  tx: Tx,
  context: Context<Caller, 'paused'>,
  peck: PeckRow,
  audience: string | undefined,
): PeckRow {
  const spent = { ...peck, uses: peck.uses + 1, lastUsedAt: context.now }
  insertAtEnd(tx, newUse(spent, audience ?? null, context.now))
  if (spent.uses > usesKept)
    beforeCommit(
      tx,
      sql`DELETE FROM "PeckUse" WHERE "peckId" = ${peck.id} AND "number" = ${spent.uses - usesKept}`,
    )
  const logged = enqueueUse(tx, spent, spent.uses, context.now)
  recordPeck(tx, context, 'peck.consumed', spent, { metadata: { ...logged, uses: spent.uses } })
  beforeCommit(
    tx,
    sql`UPDATE "Peck" SET "uses" = ${spent.uses}, "lastUsedAt" = ${context.now}::timestamptz WHERE "id" = ${peck.id}
      RETURNING ${requiredUnpaused(peck.targetDucklingId)}`,
    { refused: () => refusePaused(context, peck) },
  )
  return spent
}

/** Adds the use to the list that the target reads. A row whose count a host set back is replaced. */
function newUse({ id, uses }: PeckRow, audience: string | null, now: Date): Sql {
  return sql`
    INSERT INTO "PeckUse" ("peckId", "number", "usedAt", "audience")
    VALUES (${id}, ${uses}, ${now}::timestamptz, ${audience}::text)
    ON CONFLICT ("peckId", "number") DO UPDATE SET "usedAt" = EXCLUDED."usedAt", "audience" = EXCLUDED."audience"`
}

/** Returns the failure of an attempted use. The target's audit log records it. */
export function refuseUse<F extends FailureName>(
  context: Fails<F>,
  peck: PeckRow,
  failure: F,
  extras: FailureExtras = {},
): Failure {
  return context.fail(failure, extras, {
    ducklingId: peck.targetDucklingId,
    event: 'peck.consumed',
    metadata: { peck_id: peck.id },
  })
}
