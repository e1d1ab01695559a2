import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { knowsAsker } from '@/lib/domain/pecks/state'

/**
 * Records that a channel of the target took the announcements of these pecks, at the end of the transaction. Only askers that the target knows
 * learn of it (contract F, Announcements on channels): a stranger could find out when a person reads mail.
 */
export function markNotified(tx: Tx, peckIds: string[], now: Date): void {
  beforeCommit(
    tx,
    sql`UPDATE "Peck" p SET "notifiedAt" = ${now}::timestamptz
      WHERE p."id" = ANY(${peckIds}::text[]) AND p."notifiedAt" IS NULL
        AND (p."requesterDucklingId" = p."targetDucklingId" OR ${knowsAsker('p')})`,
  )
}
