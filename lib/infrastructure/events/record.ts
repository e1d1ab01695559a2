/**
 * `record` writes what happened, in the transaction it happened in: the audit event, chained to the one before it, the
 * webhook deliveries it owes and the public counts it moves.
 *
 * The new end of the chain is marked for the transparency log, which takes it within a minute (lib/domain/tlog/append.ts).
 *
 * The chain: `hash` is the SHA-256 of the event's RFC 8785 canonical JSON, which contains `seq` and `prev_hash`. In
 * canonical order these two stand side by side, so the text before and after them is made here and the database fills in
 * the middle while it holds the row of the chain: one statement an event, no second round trip under the lock.
 */
import canonicalize from 'canonicalize'
import { db, type Tx } from '@/lib/db/client'
import { onCommit } from '@/lib/db/transaction'
import { minute, secondsAfter } from '@/lib/kernel/clock'
import type { Caller, CallerContext, DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import { chainStart } from '@/lib/proofs/audit/chain-start'
import { digestContext } from './context-digest'
import { type CountName, type EventKind, eventKinds } from './kinds'
import { nudgeOutbox, type OutboxPayloads } from './outbox'

type Metadata = Record<string, string | number | boolean | null | string[]>

export interface Target {
  type:
    | 'duckling'
    | 'certificate'
    | 'agent'
    | 'key'
    | 'peck'
    | 'session'
    | 'passkey'
    | 'sso_token'
    | 'webhook'
    | 'message'
  id: string
}

export interface EventDetails {
  /** Whose log it goes into. Default: the caller's own. */
  concerning?: string[]
  targets?: Target[]
  metadata?: Metadata
  outcome?: 'success' | 'denied'
  /** `data` of the webhook; without it the targets and metadata are sent. One value, or one for each duckling concerned. */
  data?: object | ((ducklingId: string) => object)
  /** Counts this very event moves besides those of its kind. */
  counts?: Partial<Record<CountName, number>>
  /** Goes through the motions and writes nothing: what concerns an unknown address must take as long as what concerns a known. */
  isRehearsal?: boolean
  /** The actor, where it is not the caller: the worker's doings, or a sign-in that makes the caller. */
  actor?: Actor
}

export interface Actor {
  type: 'duckling' | 'agent' | 'system' | 'anonymous'
  id: string | null
}

export const systemActor: Actor = { type: 'system', id: null }

/** Where somebody calls from, and with what, is told to their own log only, not to the other side of what they do. */
const elsewhere = { ip: null, userAgent: null, requestId: null }

function isOnesOwn(caller: Caller, ducklingId: string): boolean {
  return caller === null || caller.id === ducklingId
}

function actorOf(caller: Caller): Actor {
  if (caller === null) return { type: 'anonymous', id: null }
  return caller.type === 'duckling'
    ? { type: 'duckling', id: caller.id }
    : { type: 'agent', id: caller.agentId }
}

/**
 * Records one event, for every duckling it concerns, in order of their ids so that two transactions never wait for each
 * other crosswise. Refusals (`outcome: 'denied'`) send no webhook and move no count.
 */
export async function record(
  tx: Tx,
  context: CallerContext,
  kind: EventKind,
  details: EventDetails = {},
): Promise<void> {
  const concerning = [...new Set(details.concerning ?? (context.caller ? [context.caller.id] : []))].sort()
  if (concerning.length === 0) throw new Error(`${kind} concerns nobody`)
  for (const ducklingId of concerning) await appendEvent(tx, context, kind, ducklingId, details)
  if (details.outcome === 'denied') return
  await moveCounts(tx, { ...eventKinds[kind].counts, ...details.counts })
  if (eventKinds[kind].webhook) {
    for (const ducklingId of concerning) await enqueueWebhooks(tx, context.now, kind, ducklingId, details)
  }
}

async function appendEvent(
  tx: Tx,
  context: CallerContext,
  kind: EventKind,
  ducklingId: string,
  details: EventDetails,
): Promise<void> {
  const id = newId('event', context.now)
  const actor = details.actor ?? actorOf(context.caller)
  const outcome = details.outcome ?? 'success'
  const targets = details.targets ?? []
  const metadata = details.metadata ?? {}
  const { ip, userAgent, requestId } = isOnesOwn(context.caller, ducklingId) ? context : elsewhere
  const erasable = digestContext(ip, userAgent)
  const before = canonicalText({
    action: kind,
    actor,
    context:
      erasable === null
        ? { ip, request_id: requestId, user_agent: userAgent }
        : { digest: erasable.digest, request_id: requestId },
    duckling_id: ducklingId,
    event_id: id,
    metadata,
    occurred_at: context.now.toISOString(),
    outcome,
  })
  // "prev_hash" and "seq" come next in canonical order; "targets" is last.
  const head = `${before.slice(0, -1)},"prev_hash":"`
  const tail = `,"targets":${canonicalText(targets)}}`
  const appended = await tx.$executeRaw`
    WITH chain AS (
      INSERT INTO "AuditChain" AS c ("ducklingId", "seq", "prevHash", "hash")
      SELECT ${ducklingId}, 1, ${chainStart}, encode(sha256(convert_to(${head}::text || ${chainStart}::text || '","seq":1' || ${tail}::text, 'UTF8')), 'hex')
      WHERE ${details.isRehearsal !== true}::boolean
      ON CONFLICT ("ducklingId") DO UPDATE SET
        "seq" = c."seq" + 1,
        "prevHash" = c."hash",
        "hash" = encode(sha256(convert_to(${head}::text || c."hash" || '","seq":' || (c."seq" + 1)::text || ${tail}::text, 'UTF8')), 'hex'),
        "logPending" = true
      WHERE NOT c."closed" AND NOT (${actingSession(context, ducklingId)} = ANY(c."stoppedSessions"))
      RETURNING "seq", "prevHash", "hash"
    )
    INSERT INTO "AuditEvent" ("id", "ducklingId", "seq", "action", "outcome", "occurredAt", "actorType", "actorId", "targets", "ip", "userAgent", "contextDigest", "salt", "requestId", "metadata", "prevHash", "hash")
    SELECT ${id}, ${ducklingId}, chain."seq", ${kind}, ${outcome}, ${context.now}::timestamptz, ${actor.type}, ${actor.id}::text, ${JSON.stringify(targets)}::jsonb, ${ip}::text, ${userAgent}::text, ${erasable?.digest ?? null}::text, ${erasable?.salt ?? null}::bytea, ${requestId}::text, ${JSON.stringify(metadata)}::jsonb, chain."prevHash", chain."hash"
    FROM chain`
  if (appended === 0 && outcome === 'success') refuseClosed(context, actor, ducklingId)
}

/**
 * The session that acts on its own account, or ''. When the first proof of an address ends the sessions of others, their commands
 * that are at work are refused here and rolled back (`stopOtherSessions`).
 */
function actingSession({ caller }: CallerContext, ducklingId: string): string {
  return caller?.type === 'duckling' && caller.id === ducklingId ? caller.sessionId : ''
}

/** Seconds after which no request can still be at work. */
export const inFlightSeconds = 5 * minute

/**
 * Lets the account's other sessions, those included that ended just before, add nothing more to its log. Waits for their commands
 * that have added to it and not committed yet, so what is read afterwards is complete. The worker forgets the sessions once
 * nothing of them can be at work any more: the row is read for every event.
 */
export async function stopOtherSessions(tx: Tx, { caller, now }: DucklingContext): Promise<void> {
  await tx.$executeRaw`
    UPDATE "AuditChain" SET "stoppedSessions" = ARRAY(
      SELECT "id" FROM "Session" WHERE "ducklingId" = ${caller.id} AND "id" <> ${caller.sessionId}
        AND ("revokedAt" IS NULL OR "revokedAt" > ${secondsAfter(now, -inFlightSeconds)}::timestamptz))
    WHERE "ducklingId" = ${caller.id}`
  await tx.outbox.create({
    data: {
      kind: 'forget_stopped',
      payload: { duckling_id: caller.id },
      dueAt: secondsAfter(now, inFlightSeconds),
      createdAt: now,
    },
  })
}

/** Forgets which sessions were stopped. Called by the worker. */
export async function forgetStopped({
  duckling_id: ducklingId,
}: OutboxPayloads['forget_stopped']): Promise<void> {
  await db().auditChain.updateMany({ where: { ducklingId }, data: { stoppedSessions: [] } })
}

/**
 * The log of a closed account takes nothing more. What others do is not its matter any longer; a command of its own, which
 * must have begun before it was closed, is refused and rolled back: it would leave something behind that no cascade finds.
 */
function refuseClosed({ caller }: CallerContext, actor: Actor, ducklingId: string): void {
  if (caller?.id !== ducklingId && actor.id !== ducklingId) return
  throw fail(caller === null || caller.type === 'duckling' ? 'session_invalid' : 'beak_key_invalid')
}

/** Ends a duckling's log: the last step of closing its account. */
export async function endChain(tx: Tx, ducklingId: string): Promise<void> {
  await tx.auditChain.update({ where: { ducklingId }, data: { closed: true } })
}

/** RFC 8785 text of a value that is known to be JSON. */
function canonicalText(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('not JSON')
  return text
}

async function moveCounts(tx: Tx, changes: Partial<Record<CountName, number>>): Promise<void> {
  const data = Object.entries(changes)
    .filter(([, delta]) => delta !== 0)
    .map(([name, delta]) => ({ name, delta }))
  if (data.length > 0) await tx.metricDelta.createMany({ data })
}

/**
 * One message for the duckling's side, and for each endpoint that wants the kind a delivery and its outbox row. The account
 * joins the queue in the same statement, see `lib/domain/webhooks/queue.ts`.
 */
async function enqueueWebhooks(
  tx: Tx,
  now: Date,
  kind: EventKind,
  ducklingId: string,
  details: EventDetails,
): Promise<void> {
  const data = (typeof details.data === 'function' ? details.data(ducklingId) : details.data) ?? {
    targets: details.targets ?? [],
    ...details.metadata,
  }
  const messageId = newId('message', now)
  const owed = await tx.$executeRaw`
    WITH wanted AS (
      SELECT "id" FROM "WebhookEndpoint"
      WHERE "ducklingId" = ${ducklingId} AND "enabled" AND ("kinds" = '{}' OR ${kind} = ANY("kinds"))
    ), message AS (
      INSERT INTO "WebhookMessage" ("id", "ducklingId", "type", "data", "createdAt")
      SELECT ${messageId}, ${ducklingId}, ${kind}, ${JSON.stringify(data)}::jsonb, ${now}::timestamptz
      WHERE EXISTS (SELECT 1 FROM wanted)
      RETURNING "id"
    ), delivery AS (
      INSERT INTO "WebhookDelivery" ("id", "messageId", "endpointId", "status", "createdAt", "nextAttemptAt")
      SELECT replace(message."id", 'MSG-', 'DLV-') || right(wanted."id", 6), message."id", wanted."id", 'pending', ${now}::timestamptz, ${now}::timestamptz
      FROM wanted, message
      RETURNING "id", "endpointId"
    ), queued AS (
      INSERT INTO "WebhookQueue" AS q ("ducklingId", "dueAt") SELECT ${ducklingId}, ${now}::timestamptz FROM message
      ON CONFLICT ("ducklingId") DO UPDATE SET "dueAt" = LEAST(q."dueAt", EXCLUDED."dueAt")
    )
    INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt", "ducklingId", "endpointId")
    SELECT 'webhook', jsonb_build_object('delivery_id', delivery."id"), ${now}::timestamptz, ${now}::timestamptz, ${ducklingId}, delivery."endpointId"
    FROM delivery`
  if (owed > 0) onCommit(tx, nudgeOutbox)
}
