/** Settles the uses of rules whose permissions have ended: what was not used goes back into the budget. Called by the worker. */
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit, transaction } from '@/lib/db/transaction'
import { lockPeck } from '@/lib/domain/pecks/rows'
import { returnUse } from '@/lib/domain/rules/charge'
import { describeError, log } from '@/lib/kernel/log'

const batchSize = 100

/** When the next use is due, with the condition of the index "RuleUse_reserved_idx". */
export const nextSettling = sql`
  SELECT "settleAt" FROM "RuleUse" WHERE "state" = 'reserved' ORDER BY "settleAt" LIMIT 1`

/** Settles every due use, each in its own transaction. One that fails is logged, and tried again by the next call. */
export async function settleUses(now: Date): Promise<void> {
  for (let after = ''; ; ) {
    const due = await db().rows<{ peckId: string }>`
      SELECT "peckId" FROM "RuleUse" WHERE "state" = 'reserved' AND "settleAt" <= ${now}::timestamptz AND "peckId" > ${after}
      ORDER BY "peckId" LIMIT ${batchSize}`
    for (const { peckId } of due)
      await settleUse(peckId).catch((error: unknown) =>
        log().error({ peck: peckId, error: describeError(error) }, 'a use of a rule was not settled'),
      )
    const last = due.at(-1)
    if (last === undefined || due.length < batchSize) return
    after = last.peckId
  }
}

/** The lock of the peck waits for a use that another instance is committing. */
function settleUse(peckId: string): Promise<void> {
  return transaction(async (tx) => {
    const peck = await lockPeck(tx, peckId)
    if (peck !== null && peck.uses === 0) return returnUse(tx, peckId)
    beforeCommit(
      tx,
      sql`UPDATE "RuleUse" SET "state" = 'spent' WHERE "peckId" = ${peckId} AND "state" = 'reserved'`,
    )
  })
}
