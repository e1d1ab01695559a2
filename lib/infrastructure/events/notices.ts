/**
 * Notices to an account by mail: at most one mail of a kind in ten minutes, and one about sensitive changes in a minute. Events in
 * between are merged into the next mail (contract F, Mail). A row of `Notice` collects events, and one outbox row sends the collection.
 */
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { minute } from '@/lib/kernel/clock'
import { kindOfNotice, type NoticeName, wakeWorker } from './outbox'

/** Seconds between two mails of one kind to one account, of most kinds. */
export const noticePauseSeconds = 10 * minute

/** Returns the seconds between two mails of a kind. Who did not make a sensitive change must learn of it soon. */
export const pauseOf = (notice: NoticeName): number =>
  notice === 'sensitive_change' ? minute : noticePauseSeconds

/** Events that a merged notice describes one by one. Further events are only counted. */
const noticeItemsMax = 5

export type NoticeFacts = Record<string, string>

/**
 * Enqueues a notice to the address of an account. Does nothing for an unverified address, which may belong to a stranger. Only the
 * notice of a sign-up attempt is sent there. `condition` is a further condition on the account ("Duckling" d), at the end of the
 * transaction.
 */
export function enqueueNotice(
  tx: Tx,
  now: Date,
  ducklingId: string,
  notice: NoticeName,
  facts: NoticeFacts,
  condition: Sql = sql`true`,
): void {
  const kind = kindOfNotice('notice', notice)
  // The first event of a collection enqueues the mail. Later events are only added.
  const statement = sql`
    WITH collected AS (
      INSERT INTO "Notice" AS n ("ducklingId", "kind", "items", "count")
      SELECT d."id", ${notice}, jsonb_build_array(${JSON.stringify(facts)}::jsonb), 1 FROM "Duckling" d
      WHERE d."id" = ${ducklingId} AND d."deletedAt" IS NULL
        AND (d."emailVerifiedAt" IS NOT NULL OR ${notice} = 'signup_attempt') AND ${condition}
      ON CONFLICT ("ducklingId", "kind") DO UPDATE SET
        "count" = n."count" + 1,
        "items" = CASE
          WHEN n."count" = 0 THEN EXCLUDED."items"
          WHEN n."count" < ${noticeItemsMax}::int THEN n."items" || EXCLUDED."items"
          ELSE n."items" END
      RETURNING "count", "mailedAt"
    )
    INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt")
    SELECT ${kind}, ${JSON.stringify({ duckling_id: ducklingId, notice })}::jsonb,
      GREATEST(${now}::timestamptz, "mailedAt" + ${pauseOf(notice)}::int * interval '1 second'), ${now}::timestamptz
    FROM collected WHERE "count" = 1`
  beforeCommit(tx, statement, {
    changed: (enqueued) => {
      if (enqueued > 0) wakeWorker(tx, kind)
    },
  })
}
