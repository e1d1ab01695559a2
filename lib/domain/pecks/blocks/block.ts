import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { lockName, transaction } from '@/lib/db/transaction'
import { resolveAsker } from '@/lib/domain/handles/holder'
import { type BlockAnswerInput, presentBlock } from '@/lib/domain/pecks/blocks/schema'
import { finishEarly } from '@/lib/domain/pecks/decide/held-rejections'
import { pairLock } from '@/lib/domain/pecks/request/pair-lock'
import { endRules } from '@/lib/domain/rules/end-rules'
import { recordSettingsChange } from '@/lib/domain/sessions/record-settings-change'
import { record } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import { withCurrentTime } from '@/lib/kernel/clock'
import type { DucklingContext, Fails } from '@/lib/kernel/context'
import { m } from '@/lib/kernel/messages'
import { blockTargets, hideWaiting, lockPending } from './hidden-pecks'

/**
 * Hides the waiting and all new pecks of a duckling and its agents from the caller. The blocked duckling is not told: its pecks stay
 * pending for the duckling until they expire. Blocking twice changes nothing. `ref`: an id or a handle. Throws `duckling_not_found`, or
 * `invalid_request` for the caller's own id.
 */
export async function blockDuckling(
  context: DucklingContext<'duckling_not_found' | 'invalid_request'>,
  ref: string,
): Promise<BlockAnswerInput> {
  const { caller, now } = context
  const ducklingId = await resolveAsker(context, ref, 'duckling_not_found')
  if (ducklingId === caller.id)
    throw context.fail('invalid_request', {
      errors: [{ field: 'duckling_id', message: m.field_must_not_be_your_own() }],
    })
  return transaction(async (tx) => {
    // A request that runs at the same time ends before, and is hidden too, or it begins after, and finds the block.
    await lockName(tx, pairLock(ducklingId, caller.id))
    await checkExists(tx, context, ducklingId)
    const { count } = await tx.peckBlock.createMany({
      data: {
        ducklingId: caller.id,
        blockedDucklingId: ducklingId,
        createdAt: now,
        sessionId: caller.sessionId,
      },
      skipDuplicates: true,
    })
    if (count !== 1) return { ...presentBlock(ducklingId, true), hidden_pecks: 0 }
    await recordSettingsChange(tx, context)
    await endRules(tx, context, {
      where: sql`"ducklingId" = ${caller.id} AND ("subjectId" = ${ducklingId}
        OR "subjectId" IN (SELECT "id" FROM "Agent" WHERE "ducklingId" = ${ducklingId}))`,
      reason: 'asker_blocked',
    })
    const pending = await lockPending(tx, ducklingId, caller.id)
    const current = withCurrentTime(context)
    finishEarly(tx, pending, current.now)
    const hidden = hideWaiting(tx, pending, current.now)
    record(tx, current, 'peck.blocked', { targets: blockTargets(ducklingId, hidden) })
    signal(tx, caller.id)
    return { ...presentBlock(ducklingId, true), hidden_pecks: hidden.length }
  })
}

async function checkExists(tx: Tx, context: Fails<'duckling_not_found'>, id: string): Promise<void> {
  const found = await tx.duckling.findFirst({ where: { id, deletedAt: null }, select: { id: true } })
  if (found === null) throw context.fail('duckling_not_found')
}
