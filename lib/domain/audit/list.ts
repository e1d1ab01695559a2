import { db, Prisma, type Tx } from '@/lib/db/client'
import type { AuditEvent as AuditEventRow } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { writeRefusalsOf } from '@/lib/domain/agents/refusals'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import type { DucklingContext, OperatorContext } from '@/lib/kernel/request/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/request/page'
import { type AuditEventInput, type AuditHeadInput, presentEvent } from './schema'

function idsIn(event: AuditEventInput): string[] {
  const { asker } = event.metadata
  const ids = [event.actor.id, ...event.targets.map(({ id }) => id), asker]
  return ids.filter((id): id is string => typeof id === 'string')
}

/**
 * Returns the current names of the ducklings and agents that the events mention, by id. The owner of the log has dealt with all of
 * them, and their pecks show these names.
 */
async function namesIn(events: AuditEventInput[]): Promise<Record<string, string>> {
  const ids = [...new Set(events.flatMap(idsIn))]
  const rows = await db().rows<{ id: string; name: string }>`
    SELECT "id", coalesce("fullName", "displayName") AS "name" FROM "Duckling" WHERE "id" = ANY(${ids}::text[])
    UNION ALL SELECT "id", "name" FROM "Agent" WHERE "id" = ANY(${ids}::text[])`
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]))
}

interface Filter {
  action?: string | undefined
  outcome?: AuditEventInput['outcome'] | undefined
  /** Adds the names of the ducklings and agents in the events. */
  names?: 'true' | undefined
}

/** With the outcome in the text of the statement, the index of refused events serves a prepared statement. */
const hasOutcome = {
  success: sql`AND "outcome" = 'success'`,
  denied: sql`AND "outcome" = 'denied'`,
}

/** Returns a page of the caller's events, newest first. An agent reads those of its operator. `page.after` is a `seq`. */
export async function listEvents(
  context: OperatorContext,
  page: PageRequest,
  { action, outcome, names }: Filter,
): Promise<Page<AuditEventInput> & { names?: Record<string, string> }> {
  await writeRefusalsOf(context.caller.id)
  const rows = await db().rows<AuditEventRow>`
    SELECT "id", "ducklingId", "seq", "action", "outcome", "occurredAt", "actorType", "actorId", "targets", "ip", "userAgent",
      "contextDigest", "salt", "requestId", "metadata", "prevHash", "hash"
    FROM "AuditEvent" WHERE "ducklingId" = ${context.caller.id}
      ${action === undefined ? Prisma.empty : sql`AND "action" = ${action}`}
      ${outcome === undefined ? Prisma.empty : hasOutcome[outcome]}
      ${page.after === null ? Prisma.empty : sql`AND "seq" < ${Number(page.after)}`}
    ORDER BY "seq" DESC LIMIT ${page.limit + 1}`
  const events = pageOf(rows, page, (row) => String(row.seq), presentEvent)
  return names ? { ...events, names: await namesIn(events.items) } : events
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
