/** Mails about a peck whose target snoozes it again, or brings it back. */
import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { schedulePeckMail } from '@/lib/domain/notifications/schedule'

interface Move {
  /** Id of the peck. */
  id: string
  /** When the peck would have come back. */
  from: Date
  /** When the peck comes back now. Null: at once. */
  until: Date | null
}

/**
 * Moves the mails that wait for the end of a snooze to another end, at the end of the transaction. Otherwise a thief of a session could delay
 * a reminder until the peck expires.
 */
export function moveMail(tx: Tx, { id, from, until }: Move, now: Date): void {
  // A reminder that came due during the snooze has the end of the snooze as its time (remind.ts).
  beforeCommit(
    tx,
    sql`UPDATE "PeckMail" SET "remindAt" = ${until ?? now}::timestamptz
      WHERE "peckId" = ${id} AND "stage" = 'announced' AND "remindAt" = ${from}::timestamptz`,
  )
  // The round waits for the old end (batch.ts). Another round announces the peck now, or waits for the new end.
  schedulePeckMail(
    tx,
    now,
    sql`SELECT "ducklingId" FROM "PeckMail" WHERE "peckId" = ${id} AND "stage" = 'announce'`,
  )
}
