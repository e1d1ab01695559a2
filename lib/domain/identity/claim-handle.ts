/**
 * Chooses and releases handles (contract F, Handles). The row of a skeleton in `Handle` decides who has it: it is taken with one guarded
 * statement, so of simultaneous claims one succeeds. `Duckling.handle` is a copy for reads.
 */
import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import {
  handleYear,
  nextHandleChange,
  type OwnHandleInput,
  presentOwnHandle,
  withClaim,
} from '@/lib/domain/handles/holder'
import { compareRenamedAsker } from '@/lib/domain/pecks/request/renamed-asker'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { lockCaller } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { handleSkeleton } from '@/lib/kernel/request/handle'
import { secondsAfter, secondsUntil } from '@/lib/kernel/runtime/clock'

/**
 * Gives the caller a handle and releases the one before. Throws `handle_change_throttled`, `handle_taken` when somebody else has the handle
 * or a look-alike, or had it in the last year, and `session_invalid`. The present handle changes nothing.
 */
export function claimHandle(
  context: DucklingContext<'handle_taken' | 'handle_change_throttled' | 'session_invalid'>,
  handle: string,
): Promise<OwnHandleInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const before = await lockOwnHandle(tx, context)
    if (before.handle === handle) return presentOwnHandle(handle, before.handleClaims, now)
    checkChange(context, before.handleClaims)
    const skeleton = handleSkeleton(handle)
    const taken = await tx.run`
      INSERT INTO "Handle" AS h ("skeleton", "name", "ducklingId", "claimedAt")
      VALUES (${skeleton}, ${handle}, ${caller.id}, ${now}::timestamptz)
      ON CONFLICT ("skeleton") DO UPDATE SET "name" = EXCLUDED."name", "ducklingId" = EXCLUDED."ducklingId",
        "claimedAt" = EXCLUDED."claimedAt", "releasedAt" = NULL
      WHERE h."ducklingId" = ${caller.id} OR h."releasedAt" <= ${secondsAfter(now, -handleYear)}::timestamptz`
    if (taken !== 1) throw context.fail('handle_taken')
    // After the claim: two accounts that want each other's handle fail then, instead of waiting for each other.
    await tx.handle.updateMany({
      where: { ducklingId: caller.id, releasedAt: null, skeleton: { not: skeleton } },
      data: { releasedAt: now },
    })
    const handleClaims = withClaim(before.handleClaims, now)
    await tx.duckling.update({ where: { id: caller.id }, data: { handle, handleClaims } })
    await compareRenamedAsker(tx, { ducklingId: caller.id }, now)
    record(tx, context, 'handle.claimed', {
      targets: [{ type: 'duckling', id: caller.id }],
      metadata: { handle, ...(before.handle === null ? {} : { from: before.handle }) },
    })
    announceChange(tx, context, 'handle_claimed', `@${handle}`)
    return presentOwnHandle(handle, handleClaims, now)
  })
}

/** Takes the handle from the caller. It stays blocked for a year, for everybody but the caller. Throws `no_handle` or `session_invalid`. */
export function releaseHandle(
  context: DucklingContext<'no_handle' | 'session_invalid'>,
): Promise<OwnHandleInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const { handle, handleClaims } = await lockOwnHandle(tx, context)
    if (handle === null) throw context.fail('no_handle')
    await tx.handle.updateMany({
      where: { ducklingId: caller.id, releasedAt: null },
      data: { releasedAt: now },
    })
    await tx.duckling.update({ where: { id: caller.id }, data: { handle: null } })
    record(tx, context, 'handle.released', {
      targets: [{ type: 'duckling', id: caller.id }],
      metadata: { handle },
    })
    announceChange(tx, context, 'handle_released', `@${handle}`)
    return presentOwnHandle(null, handleClaims, now)
  })
}

/** Locks the account, so that simultaneous changes of one account are counted one after the other. */
async function lockOwnHandle(tx: Tx, context: DucklingContext<'session_invalid'>) {
  await lockCaller(tx, context)
  return tx.duckling.findUniqueOrThrow({
    where: { id: context.caller.id },
    select: { handle: true, handleClaims: true },
  })
}

function checkChange(context: DucklingContext<'handle_change_throttled'>, claims: Date[]): void {
  const next = nextHandleChange(claims, context.now)
  if (next === null) return
  throw context.fail('handle_change_throttled', {
    retry_after: secondsUntil(next, context.now),
    next_allowed_at: next.toISOString(),
  })
}
