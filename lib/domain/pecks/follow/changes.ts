import { db } from '@/lib/db/client'
import { findPeck, type PeckRow } from '@/lib/domain/pecks/rows'
import { changeEvents } from '@/lib/domain/sessions/recent-changes'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import type { EndCause } from '@/lib/infrastructure/events/kinds/peck-data'

const batchSize = 200

/** A change in the state of a removal of all passkeys. Every session of the account is told. */
interface RecoveryChange {
  status: 'pending' | 'cancelled' | 'done'
  removes_at: string
}

const recoveryStatus: Partial<Record<EventKind, RecoveryChange['status']>> = {
  'passkey.recovery_started': 'pending',
  'passkey.recovery_cancelled': 'cancelled',
  'passkey.recovered': 'done',
}

/** The events that every session of the account is told about (contract F, Sensitive changes). */
const accountChanges: ReadonlySet<EventKind> = new Set(Object.values(changeEvents))

/** A change of the account by any of its sessions. */
interface AccountChange {
  change: EventKind
  at: Date
}

/** A block that the account made or ended. Pecks appear and disappear with it. */
interface BlockChange {
  duckling_id: string
  blocked: boolean
}

interface ChangeEvent {
  seq: number
  action: EventKind
  outcome: 'success' | 'denied'
  actorType: string
  occurredAt: Date
  /** The pecks of the event. Only unblocking has several. */
  peckIds: string[] | null
  /** What ended the first of them, for an event of an end with a cause. */
  cause: EndCause | null
  blockedId: string | null
  removesAt: string | null
}

function recoveriesIn(events: ChangeEvent[]): RecoveryChange[] {
  return events.flatMap(({ action, removesAt }) => {
    const status = recoveryStatus[action]
    return status === undefined || removesAt === null ? [] : [{ status, removes_at: removesAt }]
  })
}

function blocksIn(events: ChangeEvent[]): BlockChange[] {
  return events.flatMap(({ action, blockedId }) =>
    blockedId === null ? [] : [{ duckling_id: blockedId, blocked: action === 'peck.blocked' }],
  )
}

function accountChangesIn(events: ChangeEvent[]): AccountChange[] {
  return events.flatMap(({ action, outcome, actorType, occurredAt }) =>
    outcome === 'success' && actorType === 'duckling' && accountChanges.has(action)
      ? [{ change: action, at: occurredAt }]
      : [],
  )
}

/** The causes by peck. Further pecks of such an event go on: the one that waits in place of an undone approval. */
function causesIn(events: ChangeEvent[]): Map<string, EndCause> {
  return new Map(
    events.flatMap(({ peckIds, cause }) => {
      const ended = peckIds?.[0]
      return cause === null || ended === undefined ? [] : [[ended, cause]]
    }),
  )
}

/** What changed for a duckling, oldest change first. */
interface Changes {
  pecks: PeckRow[]
  /** What ended some of the pecks or their permissions, by id. */
  causes: Map<string, EndCause>
  recoveries: RecoveryChange[]
  blocks: BlockChange[]
  account: AccountChange[]
  /** Sequence number of the last event that was read. */
  seq: number
  /** Further events may follow. */
  hasMore: boolean
}

/** Returns the sequence number of a duckling's newest audit event, or 0 when it has none. */
export async function lastSeq(ducklingId: string): Promise<number> {
  const chain = await db().auditChain.findUnique({ where: { ducklingId }, select: { seq: true } })
  return chain?.seq ?? 0
}

/**
 * Returns what changed for a duckling after the audit event `after`. Every instance writes an audit event, in order, for each change that
 * the duckling may see. So no change is missed and no hidden peck appears.
 */
export async function readChanges(ducklingId: string, after: number): Promise<Changes> {
  const events = await db().rows<ChangeEvent>`
    SELECT "seq", "action", "outcome", "actorType", "occurredAt", CASE WHEN "action" LIKE 'peck.%' AND "outcome" = 'success'
      THEN jsonb_path_query_array("targets", '$[*] ? (@.type == "peck").id') END AS "peckIds",
      CASE WHEN "action" IN ('peck.cancelled', 'peck.revoked') AND "outcome" = 'success' THEN "metadata" ->> 'cause' END AS "cause",
      CASE WHEN "action" IN ('peck.blocked', 'peck.unblocked') AND "outcome" = 'success'
        THEN jsonb_path_query_first("targets", '$[*] ? (@.type == "duckling").id') #>> '{}' END AS "blockedId",
      CASE WHEN "action" LIKE 'passkey.recover%' AND "outcome" = 'success' THEN "metadata" ->> 'removes_at' END AS "removesAt"
    FROM "AuditEvent" WHERE "ducklingId" = ${ducklingId} AND "seq" > ${after}::int ORDER BY "seq" LIMIT ${batchSize}`
  const ids = [...new Set(events.flatMap(({ peckIds }) => peckIds ?? []))]
  const found = await Promise.all(ids.map(findPeck))
  return {
    pecks: found.filter((peck) => peck !== null),
    causes: causesIn(events),
    recoveries: recoveriesIn(events),
    blocks: blocksIn(events),
    account: accountChangesIn(events),
    seq: events.at(-1)?.seq ?? after,
    hasMore: events.length === batchSize,
  }
}
