/** How many messages wait for the worker, and for how long. No statement reads more rows than a limit, however long a queue is. */
import { db } from '@/lib/db/client'
import type { OutboxKind } from '@/lib/infrastructure/events/outbox'
import { minute, secondsAfter } from '@/lib/kernel/clock'

const queueNames = ['mail', 'text', 'webhook', 'work'] as const
type QueueName = (typeof queueNames)[number]

const queueOf: Record<OutboxKind, QueueName> = {
  code: 'mail',
  notice: 'mail',
  peck_mail: 'mail',
  link: 'mail',
  letter: 'mail',
  newsletter: 'mail',
  support: 'mail',
  text_code: 'text',
  text: 'text',
  webhook: 'webhook',
  webhook_warning: 'webhook',
  erase_context: 'work',
  restored: 'work',
  forget_stopped: 'work',
  replace_signatures: 'work',
}
const kinds = Object.keys(queueOf) as OutboxKind[]

/** Rows of one kind are counted up to this number. */
const countedMax = 10_000
/** A message that was given up counts for this long. */
const givenUpSeconds = 60 * minute

export interface Queue {
  name: QueueName
  /** Messages that wait, at most 10,000 of each kind. */
  length: number
  /** Seconds since the first of them should have been sent. 0 when none is overdue. */
  overdueSeconds: number
  /** Messages that were given up in the last hour, at most 10,000 of each kind. */
  givenUp: number
}

interface KindRow {
  kind: OutboxKind
  length: number
  givenUp: number
  since: Date | null
}

/**
 * Returns the state of each queue. A failed attempt moves `dueAt`, so a message that fails is overdue since its `lateAt`. Of webhooks only
 * accounts count that the worker does not claim for: a receiver that fails delays nobody else (contract G).
 */
export async function readQueues(now: Date): Promise<Queue[]> {
  const rows = await db().rows<KindRow>`
    WITH late AS (
      SELECT first."kind", min(first."lateAt") AS "since" FROM (
        SELECT "kind", "lateAt" FROM "Outbox" WHERE ("lateAt" IS NOT NULL) AND ("failedAt" IS NULL)
        ORDER BY "lateAt" LIMIT ${countedMax}::int) first
      GROUP BY first."kind"
    )
    SELECT wanted."kind",
      (SELECT count(*)::int FROM (SELECT 1 FROM "Outbox"
        WHERE "kind" = wanted."kind" AND "failedAt" IS NULL LIMIT ${countedMax}::int) waiting) AS "length",
      (SELECT count(*)::int FROM (SELECT 1 FROM "Outbox"
        WHERE "kind" = wanted."kind" AND "failedAt" > ${secondsAfter(now, -givenUpSeconds)}::timestamptz LIMIT ${countedMax}::int) failed) AS "givenUp",
      CASE WHEN wanted."kind" = 'webhook' THEN (SELECT min("dueAt") FROM "WebhookQueue")
        ELSE LEAST(
          (SELECT "dueAt" FROM "Outbox" WHERE "kind" = wanted."kind" AND "failedAt" IS NULL ORDER BY "dueAt" LIMIT 1),
          (SELECT late."since" FROM late WHERE late."kind" = wanted."kind"))
      END AS "since"
    FROM unnest(${kinds}::text[]) AS wanted ("kind")`
  return queueNames.map((name) => {
    const own = rows.filter(({ kind }) => queueOf[kind] === name)
    return {
      name,
      length: own.reduce((sum, { length }) => sum + length, 0),
      givenUp: own.reduce((sum, { givenUp }) => sum + givenUp, 0),
      overdueSeconds: Math.max(0, ...own.map(({ since }) => secondsSince(since, now))),
    }
  })
}

function secondsSince(since: Date | null, now: Date): number {
  return since === null ? 0 : (now.getTime() - since.getTime()) / 1000
}
