/** Stores the events of a transaction in their audit logs and enqueues their webhooks, with one statement at its end. */
import { chainStart } from '@beak/proofs/audit/chain-start'
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommitTogether } from '@/lib/db/transaction'
import type { CallerContext } from '@/lib/kernel/request/context'
import { type Failure, fail } from '@/lib/kernel/request/failures'
import { project } from '@/lib/kernel/request/projection'
import { chunksOf } from '@/lib/kernel/runtime/chunks'
import { newId } from '@/lib/kernel/secrets/ids'
import { type WebhookKind, webhookMessages } from './kinds'
import { wakeWorker } from './outbox'

/** An event, as the function `append_audit_event` of the database takes it. */
interface AppendedEvent {
  duckling_id: string
  /** The canonical JSON before the hash of the previous event. */
  head: string
  /** And after the number of the event. */
  tail: string
  is_required: boolean
  acting_session: string
  is_dry_run: boolean
  ip: string | null
  user_agent: string | null
  /** Hex. */
  salt: string | null
}

/** The messages of an event, as the function `enqueue_webhooks` of the database takes them. */
interface EnqueuedWebhook {
  messages: { id: string; ducklingId: string }[]
  kind: string
  /** JSON. */
  data: string
  at: Date
}

interface Appended {
  event: AppendedEvent
  context: CallerContext
}

type Item = Appended | EnqueuedWebhook

/**
 * Appends an event to the log of an account at the end of the transaction, or stores a message for each account that has an endpoint for its kind, with
 * its deliveries.
 */
export function storeAtEnd(tx: Tx, item: Item): void {
  beforeCommitTogether<Item>(tx, {
    key: 'events',
    item,
    build: storeStatements,
    changed: (_count, rows) => {
      if ((rows as { enqueued?: number }[]).some(({ enqueued = 0 }) => enqueued > 0))
        wakeWorker(tx, 'webhook')
    },
    // Only a required event is refused. A transaction has one acting caller, so each required event has the same context.
    refused: (items) => {
      const refused = items.find((one): one is Appended => 'event' in one && one.event.is_required)
      if (refused === undefined) throw new Error('No event of this transaction is required.')
      return closedFailure(refused.context)
    },
  })
}

/** How many events one statement appends at most, so that no statement reaches its timeout. */
const appendedMax = 1_000

/**
 * Returns the statements that append the events and enqueue the webhooks. Events are in the order of the accounts, so that transactions lock their
 * chains in the same order. Accounts have the endpoints that they have after the chains were locked.
 */
function storeStatements(items: Item[]): Sql[] {
  const events = items
    .flatMap((item) => ('event' in item ? [item.event] : []))
    .sort((left, right) =>
      left.duckling_id < right.duckling_id ? -1 : Number(left.duckling_id > right.duckling_id),
    )
  const webhooks = items.flatMap((item) => ('event' in item ? [] : [item]))
  const appended = chunksOf(events, appendedMax).map(appendEvents)
  if (webhooks.length === 0) return appended
  // The last events share the statement. Their part returns one row, and PostgreSQL calls `enqueue_webhooks` for that row: after they are appended.
  const last = appended.pop() ?? sql`SELECT`
  return [
    ...appended,
    sql`SELECT appended.*, enqueue_webhooks(${JSON.stringify(webhooks)}::json) AS "enqueued" FROM (${last}) AS appended`,
  ]
}

function appendEvents(events: AppendedEvent[]): Sql {
  return sql`
    SELECT count(append_audit_event(e."head", e."tail", ${chainStart}, e."is_required", e."acting_session", e."is_dry_run", e."ip", e."user_agent", e."salt"))
    FROM json_to_recordset(${JSON.stringify(events)}::json) AS e("head" text, "tail" text, "is_required" boolean, "acting_session" text,
      "is_dry_run" boolean, "ip" text, "user_agent" text, "salt" text)`
}

/**
 * What a command of an account throws when the log of the account was closed, or its session was stopped, after the command began. It is
 * rolled back, because closing does not delete what it would add. Events of other accounts are ignored in a closed log.
 */
export function closedFailure({ caller }: CallerContext): Failure {
  return fail(caller === null || caller.type === 'duckling' ? 'session_invalid' : 'beak_key_invalid')
}

/**
 * Enqueues a message for each account that has an endpoint for the kind, with a delivery to each such endpoint. Also adds these accounts to the
 * queue, see `lib/domain/webhooks/queue.ts`. `data`: as the schema of the kind takes it. Throws when a member is missing.
 */
export function enqueueWebhooks(
  tx: Tx,
  now: Date,
  kind: WebhookKind,
  ducklingIds: string[],
  data: unknown,
): void {
  storeAtEnd(tx, {
    messages: ducklingIds.map((ducklingId) => ({ id: newId('message', now), ducklingId })),
    kind,
    data: JSON.stringify(project(webhookMessages[kind].data, data)),
    at: now,
  })
}
