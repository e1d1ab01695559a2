/**
 * The erasable part of an event. The hash of the event covers a salted digest of IP address and user agent and not the values, so
 * the chain stays valid after both values and the salt are erased (contract F, Audit events).
 */

import { canonicalText } from '@beak/proofs/canonical'
import { db, type Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit, insertAtEnd, onCommit, required } from '@/lib/db/transaction'
import type { Caller, CallerContext, SessionCaller } from '@/lib/kernel/request/context'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { observer } from '@/lib/kernel/runtime/observer'
import { newId } from '@/lib/kernel/secrets/ids'
import { randomBytes } from '@/lib/kernel/secrets/random'
import { sha256Hex } from '@/lib/kernel/secrets/secrets'
import { type EventKind, eventKinds, isSent, type SentKind, type WebhookInput } from './kinds'
import type { CountName } from './kinds/kind'
import { enqueue, type OutboxPayloads } from './outbox'
import { closedFailure, enqueueWebhooks, storeAtEnd } from './store-events'

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

/**
 * `record` writes an event at the end of the transaction of its cause: the audit event, linked to the previous one, the webhook
 * deliveries and the changes of public counts. So the chain is locked only for the last statements. It also marks the chain for the
 * transparency log, which logs the new head within a minute (lib/domain/tlog/append.ts).
 *
 * `hash` is the SHA-256 of the canonical JSON (RFC 8785) of the event, which contains `prev_hash` and `seq`. In canonical order these
 * two are neighbours. So this code makes the text before and after them, and the database inserts both while the chain is
 * locked (migration `append_audit_event`): one statement for all events of a transaction and their webhooks, without a second round trip under the lock.
 */

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
    | 'channel'
    | 'sso_token'
    | 'webhook'
    | 'invitation'
    | 'rule'
    | 'message'
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
  for (const ducklingId of concerning) appendEvent(tx, context, kind, ducklingId, details)
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
  details: RecordedDetails,
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
  const tail = `,"targets":${canonicalText(details.targets ?? [])}}`
  storeAtEnd(tx, {
    context,
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

const chainRule = 'the audit chain of the caller takes the event'

/**
 * Fails the transaction when the log of the caller would not take an event, for a command that records its event later. Otherwise a command
 * of a stopped session would be committed. Waits only for the end of sessions and accounts, not for other events.
 */
export function requireOpenLog(tx: Tx, context: CallerContext<SessionCaller>): void {
  const { id, sessionId } = context.caller
  const statement = sql`
    WITH chain AS (
      SELECT 1 FROM "AuditChain"
      WHERE "ducklingId" = ${id} AND NOT "closed" AND NOT "suspended" AND NOT (${sessionId} = ANY("stoppedSessions")) FOR KEY SHARE)
    SELECT ${required(sql`EXISTS (SELECT 1 FROM chain)`, chainRule)}`
  beforeCommit(tx, statement, { refused: () => closedFailure(context) })
}

/**
 * Returns the session of a caller who acts on the own account, or ''. `stopSessions` stops sessions when the owner verifies or restores the
 * address: running commands of stopped sessions fail here and are rolled back.
 */
function actingSession({ caller }: CallerContext, ducklingId: string): string {
  return caller?.type === 'duckling' && caller.id === ducklingId ? caller.sessionId : ''
}

/** Seconds after which a request has certainly ended. */
export const inFlightSeconds = 5 * minute

/**
 * Prevents the sessions of an account, all but one or all, also sessions that ended just before, from adding to its log. Waits for their commands
 * that have added to the log and not committed yet, so later reads are complete. The worker clears the list after all
 * requests of these sessions have ended, because every event reads it.
 */
export async function stopSessions(
  tx: Tx,
  ducklingId: string,
  allBut: string | null,
  now: Date,
): Promise<void> {
  await tx.run`
    UPDATE "AuditChain" SET "stoppedSessions" = ARRAY(
      SELECT "id" FROM "Session" WHERE "ducklingId" = ${ducklingId} AND "id" IS DISTINCT FROM ${allBut}::text
        AND ("revokedAt" IS NULL OR "revokedAt" > ${secondsAfter(now, -inFlightSeconds)}::timestamptz))
    WHERE "ducklingId" = ${ducklingId}`
  enqueue(tx, now, 'forget_stopped', { duckling_id: ducklingId }, secondsAfter(now, inFlightSeconds))
}

/** Clears the list of stopped sessions. Called by the worker. */
export async function forgetStopped({
  duckling_id: ducklingId,
}: OutboxPayloads['forget_stopped']): Promise<void> {
  await db().auditChain.updateMany({ where: { ducklingId }, data: { stoppedSessions: [] } })
}

/**
 * Lets the log of a suspended account take no act of the account: sign-ins, and commands of its sessions and agents. Waits for those that have
 * added to the log and not committed yet. Those that add later fail.
 */
export async function suspendChain(tx: Tx, ducklingId: string, isSuspended: boolean): Promise<void> {
  await tx.run`UPDATE "AuditChain" SET "suspended" = ${isSuspended} WHERE "ducklingId" = ${ducklingId}`
}

/** Closes the log of a duckling: the last step of closing its account. */
export function endChain(tx: Tx, ducklingId: string): void {
  beforeCommit(tx, sql`UPDATE "AuditChain" SET "closed" = true WHERE "ducklingId" = ${ducklingId}`)
}

function changeCounts(tx: Tx, changes: Partial<Record<CountName, number>>): void {
  const names = Object.keys(changes)
  if (names.length === 0) return
  const statement = sql`
    INSERT INTO "MetricDelta" ("name", "delta")
    SELECT c.name, c.delta FROM unnest(${names}::text[], ${Object.values(changes)}::int[]) AS c(name, delta)
    WHERE c.delta <> 0`
  insertAtEnd(tx, statement)
}
