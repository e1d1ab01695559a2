import { z } from 'zod'
import { sql } from '@/lib/db/sql'
import { lockName, transaction } from '@/lib/db/transaction'
import { resolveAsker } from '@/lib/domain/handles/holder'
import { isDueRejectionAt } from '@/lib/domain/pecks/state'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { countedSeconds } from './asking-pause'
import { pairLock } from './pair-lock'

export const LiftedPause = z.object({
  success: z.literal(true),
  duckling_id: z.string(),
  lifted_rejections: z.int().meta({ description: 'How many rejections no longer pause requests.' }),
})

/**
 * Lets a duckling and its agents ask the caller again, although the caller has rejected requests of them. The rejections stay. Without a
 * pause nothing changes, also for an unknown id. `ref`: an id or a handle. Throws `duckling_not_found` for an unknown handle, or the failures of
 * `requireProof` when another session rejected.
 */
export async function liftPause(
  context: DucklingContext<ProofFailure | 'duckling_not_found'>,
  ref: string,
): Promise<z.input<typeof LiftedPause>> {
  const { caller, now } = context
  const ducklingId = await resolveAsker(context, ref, 'duckling_not_found')
  return transaction(async (tx) => {
    // A request that runs at the same time is checked before or after, and never against a part of the rejections.
    await lockName(tx, pairLock(ducklingId, caller.id))
    const isPausing = sql`"requesterDucklingId" = ${ducklingId} AND "targetDucklingId" = ${caller.id} AND "pauseLiftedAt" IS NULL
      AND (("status" = 'rejected' AND "decidedAt" > ${secondsAfter(now, -countedSeconds)}::timestamptz)
        OR (${isDueRejectionAt(now)}))`
    const [ofOthers] = await tx.rows`
      SELECT 1 FROM "Peck" WHERE ${isPausing} AND "decidedBySession" IS DISTINCT FROM ${caller.sessionId} LIMIT 1`
    if (ofOthers !== undefined) await requireProof(tx, context)
    const lifted = await tx.run`UPDATE "Peck" SET "pauseLiftedAt" = ${now}::timestamptz WHERE ${isPausing}`
    if (lifted > 0) record(tx, context, 'peck.unpaused', { targets: [{ type: 'duckling', id: ducklingId }] })
    return { success: true as const, duckling_id: ducklingId, lifted_rejections: lifted }
  })
}
