import { z } from 'zod'
import type { AuditEvent as AuditEventRow } from '@/lib/db/generated/client'
import { eventTopics } from '@/lib/infrastructure/events/kinds'
import { instant } from '@/lib/kernel/request/fields'
import { listOf, pageQuery } from '@/lib/kernel/request/page'

const outcome = z.enum(['success', 'denied'])

/** An event as its owner sees it. `hash` covers every other member: see docs/audit/format.md. */
export const AuditEvent = z
  .object({
    event_id: z.string(),
    duckling_id: z.string().meta({ description: 'The account whose log the event is in.' }),
    seq: z.int(),
    action: z.string(),
    outcome,
    occurred_at: instant,
    actor: z.object({
      type: z.enum(['duckling', 'agent', 'system', 'anonymous']),
      id: z.string().nullable(),
    }),
    targets: z.array(z.object({ type: z.string(), id: z.string() })),
    context: z.object({
      ip: z.string().nullable(),
      user_agent: z.string().nullable(),
      request_id: z.string().nullable(),
      digest: z.string().optional().meta({
        description:
          'SHA-256 of `ip`, `salt` and `user_agent` as canonical JSON. `hash` covers this digest instead of the three values.',
      }),
      salt: z.string().nullable().optional().meta({
        description: 'Base64url. Null after IP address, user agent and salt were erased.',
      }),
    }),
    metadata: z.record(z.string(), z.unknown()),
    prev_hash: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'AuditEvent' })

export const AuditPage = listOf(AuditEvent).extend({
  names: z.record(z.string(), z.string()).optional().meta({
    description: 'With `names=true`: current names of the ducklings and agents in the events, by id.',
  }),
  marks: z.record(z.string(), z.string()).optional().meta({
    description:
      'With `names=true`: what tells other people and their agents from others with the same name, by id. Of a person the handle or the end of the id, of an agent also who is behind it.',
  }),
})

export type AuditEventInput = z.input<typeof AuditEvent>

/** The newest event of a duckling's audit log, signed by us. */
export const AuditHead = z
  .object({
    duckling_id: z.string(),
    seq: z.int(),
    hash: z.string(),
    signed_at: instant,
    head: z.string().meta({ description: 'Signed JWT (`audit-head+jwt`, EdDSA) of seq and hash.' }),
  })
  .meta({ id: 'AuditHead' })

export type AuditHeadInput = z.input<typeof AuditHead>

const { limit, cursor } = pageQuery(100, 1000)

/** Query of `GET /beak/audit`. A cursor has a `seq`. */
export const AuditQuery = z.strictObject({
  limit,
  cursor: cursor.refine(
    (key) => key === undefined || /^[1-9]\d{0,8}$/.test(key),
    'must be the next_cursor of an earlier response',
  ),
  // An unknown kind is accepted, and has no events.
  action: z
    .string()
    .regex(/^[a-z][a-z0-9_.-]{0,63}$/, 'must be a kind of event, for instance cert.issued')
    .optional(),
  topic: z.enum(eventTopics).optional(),
  // For instance for refused attempts.
  outcome: outcome.optional(),
  // Events name ducklings and agents by id only.
  names: z.literal('true').optional(),
})

function presentDigest({ contextDigest, salt }: AuditEventRow) {
  if (contextDigest === null) return {}
  return { digest: contextDigest, salt: salt === null ? null : Buffer.from(salt).toString('base64url') }
}

/** Returns the wire form of an event. */
export function presentEvent(row: AuditEventRow): AuditEventInput {
  return {
    event_id: row.id,
    duckling_id: row.ducklingId,
    seq: row.seq,
    action: row.action,
    outcome: row.outcome as AuditEventInput['outcome'],
    occurred_at: row.occurredAt,
    actor: { type: row.actorType as AuditEventInput['actor']['type'], id: row.actorId },
    targets: row.targets as AuditEventInput['targets'],
    context: { ip: row.ip, user_agent: row.userAgent, request_id: row.requestId, ...presentDigest(row) },
    metadata: row.metadata as AuditEventInput['metadata'],
    prev_hash: row.prevHash,
    hash: row.hash,
  }
}
