import { personMark } from '@beak/decision/person-name'
import type { z } from 'zod'
import { db, Prisma, type Tx } from '@/lib/db/client'
import type { AuditEvent as AuditEventRow } from '@/lib/db/generated/client'
import { joinRow, type Sql, sql } from '@/lib/db/sql'
import { writeRefusalsOf } from '@/lib/domain/agents/refusals'
import { type EventTopic, kindsOfTopic } from '@/lib/infrastructure/events/kinds'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import type { DucklingContext, OperatorContext } from '@/lib/kernel/request/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/request/page'
import { type AuditEventInput, type AuditHeadInput, type AuditPage, presentEvent } from './schema'

function idsIn(event: AuditEventInput): string[] {
  const { asker } = event.metadata
  const ids = [event.actor.id, ...event.targets.map(({ id }) => id), asker]
  return ids.filter((id): id is string => typeof id === 'string')
}

/**
 * Returns the current names of the ducklings and agents that the events mention, by id, and what tells those of other people from others with
 * the same name. The owner of the log has dealt with all of them, and their pecks show these names.
 */
async function namesIn(events: AuditEventInput[], ownerId: string): Promise<AuditNames> {
  const ids = [...new Set(events.flatMap(idsIn))]
  const rows = await db().rows<Named>`
    SELECT "id", coalesce("fullName", "displayName") AS "name", "id" AS "personId", "handle", NULL AS "operator"
      FROM "Duckling" WHERE "id" = ANY(${ids}::text[])
    UNION ALL SELECT a."id", a."name", d."id", d."handle", coalesce(d."fullName", d."displayName")
      FROM "Agent" a ${joinRow('Duckling', 'd', 'a."ducklingId"')} WHERE a."id" = ANY(${ids}::text[])`
  return {
    names: Object.fromEntries(rows.map(({ id, name }) => [id, name])),
    marks: Object.fromEntries(
      rows.filter(({ personId }) => personId !== ownerId).map((row) => [row.id, markOf(row)]),
    ),
  }
}

interface Named {
  id: string
  name: string
  /** The person, or who is behind the agent. */
  personId: string
  handle: string | null
  operator: string | null
}

type AuditNames = Pick<z.input<typeof AuditPage>, 'names' | 'marks'>

function markOf({ personId, handle, operator }: Named): string {
  const mark = personMark(handle ?? undefined, personId)
  return operator === null ? mark : `${operator} ${mark}`
}

interface Filter {
  action?: string | undefined
  topic?: EventTopic | undefined
  outcome?: AuditEventInput['outcome'] | undefined
  /** Adds the names of the ducklings and agents in the events. */
  names?: 'true' | undefined
}

/** With the outcome in the text of the statement, the index of refused events serves a prepared statement. */
const hasOutcome = {
  success: sql`AND "outcome" = 'success'`,
  denied: sql`AND "outcome" = 'denied'`,
}

/** `kind`: a condition for the kind of the event. */
const newestEvents = (ownerId: string, page: PageRequest, outcome: Filter['outcome'], kind: Sql) => sql`
  SELECT "id", "ducklingId", "seq", "action", "outcome", "occurredAt", "actorType", "actorId", "targets", "ip", "userAgent",
    "contextDigest", "salt", "requestId", "metadata", "prevHash", "hash"
  FROM "AuditEvent" WHERE "ducklingId" = ${ownerId} ${kind}
    ${outcome === undefined ? Prisma.empty : hasOutcome[outcome]}
    ${page.after === null ? Prisma.empty : sql`AND "seq" < ${Number(page.after)}`}
  ORDER BY "seq" DESC LIMIT ${page.limit + 1}`

/** Returns a page of the caller's events, newest first. An agent reads those of its operator. `page.after` is a `seq`. */
export async function listEvents(
  context: OperatorContext,
  page: PageRequest,
  { action, topic, outcome, names }: Filter,
): Promise<Page<AuditEventInput> & AuditNames> {
  const ownerId = context.caller.id
  await writeRefusalsOf(ownerId)
  // For each kind one range of the index, so a topic with few events does not read the whole log.
  const ofKind = action === undefined ? Prisma.empty : sql`AND "action" = ${action}`
  const statement =
    topic === undefined
      ? newestEvents(ownerId, page, outcome, ofKind)
      : sql`SELECT event.* FROM unnest(${kindsOfTopic(topic)}::text[]) AS wanted ("kind") CROSS JOIN LATERAL
          (${newestEvents(ownerId, page, outcome, sql`${ofKind} AND "action" = wanted."kind"`)}) AS event
          ORDER BY event."seq" DESC LIMIT ${page.limit + 1}`
  const rows = await db().rows<AuditEventRow>`${statement}`
  const events = pageOf(rows, page, (row) => String(row.seq), presentEvent)
  return names ? { ...events, ...(await namesIn(events.items, ownerId)) } : events
}

/** Returns the signed head of the caller's audit log. */
export function auditHead(context: DucklingContext): Promise<AuditHeadInput> {
  return signHead(db(), context.caller.id, context.now)
}

/**
 * Signs the newest event of a duckling's audit log. With this head, anybody can prove later that the events up to it were changed.
 * Every duckling has an audit log, because signing up is an event.
 */
export async function signHead(tx: Tx, ducklingId: string, now: Date): Promise<AuditHeadInput> {
  const { seq, hash } = await tx.auditChain.findUniqueOrThrow({ where: { ducklingId } })
  const iat = numericDate(now)
  const claims = { aud: config().baseUrl, sub: ducklingId, seq, hash, iat }
  return {
    duckling_id: ducklingId,
    seq,
    hash,
    signed_at: new Date(iat * 1000),
    head: signToken('auditHead', claims, now),
  }
}
