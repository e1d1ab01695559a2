/**
 * `record` writes an event at the end of the transaction of its cause: the audit event, linked to the previous one, the webhook
 * deliveries and the changes of public counts. So the chain is locked only for the last statements. It also marks the chain for the
 * transparency log, which logs the new head within a minute (lib/domain/tlog/append.ts).
 *
 * `hash` is the SHA-256 of the canonical JSON (RFC 8785) of the event, which contains `prev_hash` and `seq`. In canonical order these
 * two are neighbours. So this code makes the text before and after them, and the database inserts both while the chain is
 * locked (migration `append_audit_event`): one statement for all events of a transaction and their webhooks, without a second round trip under the lock.
 */
import { chainStart } from '@beak/proofs/audit/chain-start'
import { canonicalText } from '@beak/proofs/canonical'
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommitTogether, insertAtEnd, onCommit } from '@/lib/db/transaction'
import type { Caller, CallerContext } from '@/lib/kernel/request/context'
import { project } from '@/lib/kernel/request/projection'
import { chunksOf } from '@/lib/kernel/runtime/chunks'
import { observer } from '@/lib/kernel/runtime/observer'
import type { IdKind } from '@/lib/kernel/secrets/ids'
import { newId } from '@/lib/kernel/secrets/ids'
import { randomBytes } from '@/lib/kernel/secrets/random'
import { sha256Hex } from '@/lib/kernel/secrets/secrets'
import { closedFailure } from './chain'
import {
  type EventKind,
  eventKinds,
  isSent,
  type SentKind,
  type WebhookInput,
  type WebhookKind,
  webhookMessages,
} from './kinds'
import type { CountName } from './kinds/kind'
import { wakeWorker } from './outbox'

/**
 * The erasable part of an event. The hash of the event covers a salted digest of IP address and user agent and not the values, so
 * the chain stays valid after both values and the salt are erased (contract F, Audit events).
 */
interface ContextDigest {
  digest: string
  /** 16 random bytes. Without a salt, the address of a digest could be found by trying all addresses. */
  salt: Uint8Array<ArrayBuffer>
}

/** Returns the digest of an IP address and a user agent, or null when both are null. `packages/proofs/src/audit/hash.ts` verifies it. */
function digestContext(ip: string | null, userAgent: string | null): ContextDigest | null {
  if (ip === null && userAgent === null) return null
  const salt = new Uint8Array(randomBytes(16))
  const text = canonicalText({ ip, salt: Buffer.from(salt).toString('base64url'), user_agent: userAgent })
  return { digest: sha256Hex(text), salt }
}

type Metadata = Record<string, string | number | boolean | null | string[]>

export interface Target {
  type: IdKind | 'sso_token'
  id: string
}

interface CommonDetails {
  /** Ids of the ducklings whose logs record the event. Default: the caller. */
  concerning?: string[]
  targets?: Target[]
  metadata?: Metadata
  /** Counts that this event changes in addition to the counts of its kind. */
  counts?: Partial<Record<CountName, number>>
  /** Runs the statements but writes nothing, so that a request for an unknown address takes as long as for a known one. */
  isDryRun?: boolean
  /**
   * The caller's command has ended, and the event is recorded later. So it does not depend on the session, and an event for a closed log is
   * left out.
   */
  isDeferred?: boolean
  /** The actor, when it is not the caller: the worker, or a sign-in that only starts the session. */
  actor?: Actor
}

export interface Actor {
  type: 'duckling' | 'agent' | 'system' | 'anonymous'
  id: string | null
}

export const systemActor: Actor = { type: 'system', id: null }
/** The host, by a command of the operator. */
const hostActor: Actor = { type: 'system', id: 'host' }

/** `data` is the `data` of the webhook, for the kinds that send one. Refusals send none. */
type DetailsOf<K extends EventKind> = CommonDetails &
  ([K] extends [Exclude<EventKind, SentKind>]
    ? { outcome?: 'success' | 'denied'; data?: never }
    : { outcome: 'denied'; data?: never } | { outcome?: 'success'; data: WebhookInput<Extract<K, SentKind>> })

type RecordedDetails = CommonDetails & { outcome?: 'success' | 'denied'; data?: unknown }

/** Address and device of a caller are recorded only in the log of the caller, not in logs of others. */
const hidden = { ip: null, userAgent: null, requestId: null }

function isOwnLog(caller: Caller, ducklingId: string): boolean {
  return caller === null || caller.id === ducklingId
}

function actorOf({ caller, byHost }: CallerContext): Actor {
  if (byHost) return hostActor
  if (caller === null) return { type: 'anonymous', id: null }
  return caller.type === 'duckling'
    ? { type: 'duckling', id: caller.id }
    : { type: 'agent', id: caller.agentId }
}

/**
 * Records one event in the log of every duckling concerned, in order of their ids, so that transactions do not deadlock. Refusals
 * (`outcome: 'denied'`) send no webhook and change no count.
 */
export function record<K extends EventKind>(
  tx: Tx,
  context: CallerContext,
  kind: K,
  ...[given]: Partial<DetailsOf<K>> extends DetailsOf<K> ? [DetailsOf<K>?] : [DetailsOf<K>]
): void {
  const details: RecordedDetails = given ?? {}
  const concerning = [...new Set(details.concerning ?? (context.caller ? [context.caller.id] : []))].sort()
  if (concerning.length === 0) throw new Error(`${kind} has no duckling concerned`)
  // The same in each log.
  const targets = canonicalText(details.targets ?? [])
  for (const ducklingId of concerning) appendEvent(tx, context, kind, ducklingId, { ...details, targets })
  if (details.outcome === 'denied') return
  const observing = observer()
  if (observing !== null && details.isDryRun !== true) onCommit(tx, () => observing.event(kind))
  changeCounts(tx, { ...eventKinds[kind].counts, ...details.counts })
  if (isSent(kind)) enqueueWebhooks(tx, context.now, kind, concerning, details.data)
}

function appendEvent(
  tx: Tx,
  context: CallerContext,
  kind: EventKind,
  ducklingId: string,
  details: Omit<RecordedDetails, 'targets'> & { targets: string },
): void {
  const actor = details.actor ?? actorOf(context)
  const outcome = details.outcome ?? 'success'
  const { ip, userAgent, requestId } = isOwnLog(context.caller, ducklingId) ? context : hidden
  const erasable = digestContext(ip, userAgent)
  const isOwn = !context.byHost && (context.caller?.id === ducklingId || actor.id === ducklingId)
  const isRequired = isOwn && outcome === 'success' && details.isDeferred !== true
  const session = details.isDeferred === true ? '' : actingSession(context, ducklingId)
  const before = canonicalText({
    action: kind,
    actor,
    context:
      erasable === null
        ? { ip, request_id: requestId, user_agent: userAgent }
        : { digest: erasable.digest, request_id: requestId },
    duckling_id: ducklingId,
    event_id: newId('event', context.now),
    metadata: details.metadata ?? {},
    occurred_at: context.now.toISOString(),
    outcome,
  })
  // "prev_hash" and "seq" follow in canonical order. "targets" is last.
  const head = `${before.slice(0, -1)},"prev_hash":"`
  const tail = `,"targets":${details.targets}}`
  storeAtEnd(tx, {
    caller: context.caller,
    event: {
      duckling_id: ducklingId,
      head,
      tail,
      is_required: isRequired,
      acting_session: session,
      is_dry_run: details.isDryRun === true,
      ip,
      user_agent: userAgent,
      salt: erasable === null ? null : Buffer.from(erasable.salt).toString('hex'),
    },
  })
}

/**
 * Returns the session of a caller who acts on the own account, or ''. `stopSessions` stops sessions when the owner verifies or restores the
 * address: running commands of stopped sessions fail here and are rolled back.
 */
function actingSession({ caller }: CallerContext, ducklingId: string): string {
  return caller?.type === 'duckling' && caller.id === ducklingId ? caller.sessionId : ''
}

function changeCounts(tx: Tx, changes: Partial<Record<CountName, number>>): void {
  const names = Object.keys(changes)
  if (names.length === 0) return
  insertAtEnd(
    tx,
    sql`INSERT INTO "MetricDelta" ("name", "delta")
      SELECT c.name, c.delta FROM unnest(${names}::text[], ${Object.values(changes)}::int[]) AS c(name, delta) WHERE c.delta <> 0`,
  )
}

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

type Stored = { event: AppendedEvent; caller: Caller } | { webhook: EnqueuedWebhook }

/** Stores events and the messages of their webhooks with one statement at the end of the transaction. */
function storeAtEnd(tx: Tx, item: Stored): void {
  beforeCommitTogether<Stored>(tx, {
    key: 'events',
    item,
    build: storeStatements,
    changed: (_count, rows) => {
      if ((rows as { enqueued?: number }[]).some(({ enqueued = 0 }) => enqueued > 0))
        wakeWorker(tx, 'webhook')
    },
    // Only a required event is refused. A transaction has one acting caller, so each required event has the same one.
    refused: (items) => {
      for (const one of items) if ('event' in one && one.event.is_required) return closedFailure(one.caller)
      throw new Error('No event of this transaction is required.')
    },
  })
}

/** How many events one statement appends at most, so that no statement reaches its timeout. */
const appendedMax = 1_000

/**
 * Returns the statements that append the events and enqueue the webhooks. Events are in the order of the accounts, so that transactions lock their
 * chains in the same order. Accounts have the endpoints that they have after the chains were locked.
 */
function storeStatements(items: Stored[]): Sql[] {
  const events = items
    .flatMap((item) => ('event' in item ? [item.event] : []))
    .sort((left, right) =>
      left.duckling_id < right.duckling_id ? -1 : Number(left.duckling_id > right.duckling_id),
    )
  const webhooks = items.flatMap((item) => ('event' in item ? [] : [item.webhook]))
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
  const messages = ducklingIds.map((ducklingId) => ({ id: newId('message', now), ducklingId }))
  const text = JSON.stringify(project(webhookMessages[kind].data, data))
  storeAtEnd(tx, { webhook: { messages, kind, data: text, at: now } })
}
