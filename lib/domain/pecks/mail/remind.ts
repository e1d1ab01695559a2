import type { Tx } from '@/lib/db/client'
import { joinRow, sql } from '@/lib/db/sql'
import { beforeCommit, transaction } from '@/lib/db/transaction'
import { schedulePeckMail } from '@/lib/domain/notifications/schedule'

const batchSize = 100

interface DuePeck {
  peckId: string
  isPending: boolean
}

/**
 * Reminds the targets of pecks that still wait when the time of their reminder has come: puts these pecks into the next mail. Called by
 * the worker.
 */
export async function remindOfPecks(now: Date): Promise<void> {
  while ((await transaction((tx) => remindBatch(tx, now))) === batchSize);
}

/** Returns the number of pecks whose time has come. Simultaneous workers take different ones. */
async function remindBatch(tx: Tx, now: Date): Promise<number> {
  // The condition of the index "PeckMail_announced_idx".
  const due = await tx.rows<DuePeck>`
    SELECT m."peckId", p."status" = 'pending' AND p."expiresAt" > ${now}::timestamptz AS "isPending"
    FROM "PeckMail" m ${joinRow('Peck', 'p', 'm."peckId"')}
    WHERE m."stage" = 'announced' AND m."remindAt" <= ${now}::timestamptz
    ORDER BY m."remindAt" LIMIT ${batchSize}::int FOR UPDATE OF m SKIP LOCKED`
  const idsOf = (isPending: boolean) =>
    due.filter((one) => one.isPending === isPending).map(({ peckId }) => peckId)
  beforeCommit(tx, sql`DELETE FROM "PeckMail" WHERE "peckId" = ANY(${idsOf(false)}::text[])`)
  schedulePeckMail(
    tx,
    now,
    sql`UPDATE "PeckMail" SET "stage" = 'remind' WHERE "peckId" = ANY(${idsOf(true)}::text[]) RETURNING "ducklingId"`,
  )
  return due.length
}
