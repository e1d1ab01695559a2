import { type Sql, sql } from '@/lib/db/sql'
import { isDueRejectionAt } from '@/lib/domain/pecks/state'
import { secondsAfter } from '@/lib/kernel/clock'
import { testAction } from '@/lib/kernel/test-request'
import { countedSeconds, rejectionsMax } from './asking-pause'

/**
 * Selects, as JSON, the newest rejections of an operator and its agents that can cause a pause (`Rejection[]`), also those that the worker has
 * not written yet. A rejection by a rule causes none: the person has rejected nothing.
 */
export function rejectionsOf(requesterId: string, targetId: string, now: Date): Sql {
  const counts = sql`"requesterDucklingId" = ${requesterId} AND "targetDucklingId" = ${targetId} AND "pauseLiftedAt" IS NULL
    AND "action" <> ${testAction}`
  return sql`SELECT coalesce(json_agg(json_build_object('at', (extract(epoch FROM counted."at") * 1000)::bigint, 'action', counted."action")), '[]')
    FROM (
      (SELECT "decidedAt" AS "at", "action" FROM "Peck"
        WHERE ${counts} AND "status" = 'rejected' AND "decidedAt" > ${secondsAfter(now, -countedSeconds)}::timestamptz
          AND NOT "unclear" AND "wouldApprove" IS NULL AND "ruleId" IS NULL
        ORDER BY "decidedAt" DESC LIMIT ${rejectionsMax})
      UNION ALL
      (SELECT "rejectAt", "action" FROM "Peck"
        WHERE ${counts} AND ${isDueRejectionAt(now)}
          AND "heldRejection" ->> 'unclear' = 'false' AND "heldRejection" -> 'wouldApprove' = 'null')
    ) counted`
}
