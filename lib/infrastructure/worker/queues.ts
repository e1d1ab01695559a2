/** How many messages wait for the worker, and for how long. No statement reads more rows than a limit, however long a queue is. */
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import type { OutboxKind } from '@/lib/infrastructure/events/outbox'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'

export const queueNames = ['mail', 'text', 'webhook', 'work'] as const
type QueueName = (typeof queueNames)[number]

const queueOf: Record<OutboxKind, QueueName> = {
  code: 'mail',
  notice: 'mail',
  notice_since_0_3: 'mail',
  peck_mail: 'mail',
  peck_alert: 'mail',
  rule_report: 'mail',
  link: 'mail',
  letter: 'mail',
  letter_since_0_3: 'mail',
  newsletter: 'mail',
  support: 'mail',
  text_code: 'text',
  text: 'text',
  text_since_0_3: 'text',
  webhook: 'webhook',
  webhook_warning: 'webhook',
  revoke_by_rules: 'work',
  reach: 'work',
  reach_end: 'work',
  reach_summary: 'work',
  channel_message: 'webhook',
  site_logout: 'webhook',
  erase_context: 'work',
  restored: 'work',
  forget_stopped: 'work',
  replace_signatures: 'work',
}

/** Rows are looked at up to this number. */
const countedMax = 10_000
/** A message that was given up counts for this long. */
const givenUpSeconds = 60 * minute
/**
 * What waits for the worker longer than this is late. Messages that the worker tries in vain are late earlier: each failed
 * attempt moves `dueAt`, but not `lateAt`.
 */
const lateSeconds = 5 * minute

/** Kinds that only a newer version knows are work: no worker here does it. */
const nameOf = (kind: string): QueueName =>
  Object.hasOwn(queueOf, kind) ? queueOf[kind as OutboxKind] : 'work'

/** A table with the kinds that have rows, found with one look into the index for each. The last row is null. */
const presentKinds = sql`
  RECURSIVE present AS (
    (SELECT "kind" FROM "Outbox" ORDER BY "kind" LIMIT 1)
    UNION ALL
    SELECT (SELECT o."kind" FROM "Outbox" o WHERE o."kind" > present."kind" ORDER BY o."kind" LIMIT 1)
    FROM present WHERE present."kind" IS NOT NULL)`

interface Overdue {
  name: QueueName
  isLate: boolean
  /** Seconds since the first message should have been sent. 0 when none is overdue. */
  overdueSeconds: number
}

/**
 * Returns what is overdue in each queue. Webhooks are due for an account when the worker should claim for the account. A slow receiver delays
 * only its own account, which does not count. The order begins with `failedAt`, as the index does: otherwise PostgreSQL sorts the whole queue.
 */
async function readOverdue(now: Date): Promise<Overdue[]> {
  const rows = await db().rows<{ kind: string; dueAt: Date | null; lateAt: Date | null }>`
    WITH ${presentKinds}, late AS MATERIALIZED (
      SELECT first."kind", min(first."lateAt") AS "lateAt" FROM (
        SELECT "kind", "lateAt" FROM "Outbox" WHERE ("lateAt" IS NOT NULL) AND ("failedAt" IS NULL)
        ORDER BY "lateAt" LIMIT ${countedMax}::int) first
      GROUP BY first."kind"
    )
    SELECT wanted."kind", (SELECT late."lateAt" FROM late WHERE late."kind" = wanted."kind") AS "lateAt",
      CASE WHEN wanted."kind" <> 'webhook'
        THEN (SELECT "dueAt" FROM "Outbox" WHERE "kind" = wanted."kind" AND "failedAt" IS NULL ORDER BY "failedAt", "dueAt" LIMIT 1)
      END AS "dueAt"
    FROM present wanted WHERE wanted."kind" IS NOT NULL
    UNION ALL SELECT 'webhook', NULL, min("dueAt") FROM "WebhookQueue"`
  const secondsSince = (time: Date | null) =>
    time === null ? 0 : Math.max(0, (now.getTime() - time.getTime()) / 1000)
  return queueNames.map((name) => {
    const own = rows.filter(({ kind }) => nameOf(kind) === name)
    const due = Math.max(0, ...own.map(({ dueAt }) => secondsSince(dueAt)))
    const late = Math.max(0, ...own.map(({ lateAt }) => secondsSince(lateAt)))
    return { name, isLate: due > lateSeconds || late > 0, overdueSeconds: Math.max(due, late) }
  })
}

/** Returns the names of the queues that are late. */
export async function readLateQueues(now: Date): Promise<QueueName[]> {
  return (await readOverdue(now)).filter(({ isLate }) => isLate).map(({ name }) => name)
}

export interface Queue extends Overdue {
  /** Messages that wait, at most 10,000 of each kind. */
  length: number
  /** Messages that were given up in the last hour, at most 10,000 of each kind. */
  givenUp: number
}

/** Returns the state of each queue. */
export async function readQueues(now: Date): Promise<Queue[]> {
  const [overdue, counts] = await Promise.all([
    readOverdue(now),
    db().rows<{ kind: string; length: number; givenUp: number }>`
      WITH ${presentKinds}
      SELECT wanted."kind",
        (SELECT count(*)::int FROM (SELECT 1 FROM "Outbox"
          WHERE "kind" = wanted."kind" AND "failedAt" IS NULL LIMIT ${countedMax}::int) waiting) AS "length",
        (SELECT count(*)::int FROM (SELECT 1 FROM "Outbox"
          WHERE "kind" = wanted."kind" AND "failedAt" > ${secondsAfter(now, -givenUpSeconds)}::timestamptz LIMIT ${countedMax}::int) failed) AS "givenUp"
      FROM present wanted WHERE wanted."kind" IS NOT NULL`,
  ])
  return overdue.map((queue) => {
    const own = counts.filter(({ kind }) => nameOf(kind) === queue.name)
    const sum = (of: 'length' | 'givenUp') => own.reduce((total, row) => total + row[of], 0)
    return { ...queue, length: sum('length'), givenUp: sum('givenUp') }
  })
}
