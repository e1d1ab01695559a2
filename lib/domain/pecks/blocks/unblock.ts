import { lockName, transaction } from '@/lib/db/transaction'
import { resolveAsker } from '@/lib/domain/handles/holder'
import { type BlockAnswerInput, presentBlock } from '@/lib/domain/pecks/blocks/schema'
import { pairLock } from '@/lib/domain/pecks/request/pair-lock'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import type { DucklingContext } from '@/lib/kernel/context'
import { blockTargets, showHidden } from './hidden-pecks'

/**
 * Shows new pecks of a blocked duckling to the caller again, and those that the block had hidden and that are still pending. Pecks that
 * were sent during the block stay hidden. Throws `duckling_not_blocked`, or the failures of `requireProof` for a block of another session.
 */
export async function unblockDuckling(
  context: DucklingContext<ProofFailure | 'duckling_not_blocked'>,
  ref: string,
): Promise<BlockAnswerInput> {
  const { caller, now } = context
  const ducklingId = await resolveAsker(context, ref, 'duckling_not_blocked')
  return transaction(async (tx) => {
    await lockName(tx, pairLock(ducklingId, caller.id))
    const where = { ducklingId: caller.id, blockedDucklingId: ducklingId }
    const block = await tx.peckBlock.findFirst({ where, select: { sessionId: true } })
    if (block === null) throw context.fail('duckling_not_blocked')
    if (block.sessionId !== caller.sessionId) await requireProof(tx, context)
    const { count } = await tx.peckBlock.deleteMany({ where })
    if (count !== 1) throw context.fail('duckling_not_blocked')
    const shown = await showHidden(tx, ducklingId, caller.id, now)
    record(tx, context, 'peck.unblocked', { targets: blockTargets(ducklingId, shown) })
    signal(tx, caller.id)
    return { ...presentBlock(ducklingId, false), restored_pecks: shown.length }
  })
}
