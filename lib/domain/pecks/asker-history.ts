/** What a target knows of an asker: how often the asker asked for an action, and what the target approved last. */

import type { Params } from '@beak/decision/params'
import type { AskerFacts } from '@beak/decision/risk/novelty'
import { isTestRequest, testAction } from '@beak/decision/test-request'
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, insertAtEnd } from '@/lib/db/transaction'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { hasPermitted } from '@/lib/domain/pecks/state'
import { type FirstLineInput, firstLineOf } from './risk/first-line'
import { type KnownAsker, likenessOf, type NamedAsker } from './risk/likeness'
import { storedLevel, storedRisk } from './risk/read'

type HistoryKey = Pick<PeckRow, 'targetDucklingId' | 'askerId' | 'action'>

const keyOf = ({ targetDucklingId, askerId, action }: HistoryKey): Sql =>
  sql`${targetDucklingId}, ${askerId}, ${action}`

/** Counts a request that the target can see, at the end of the transaction. */
export function addAsked(tx: Tx, peck: HistoryKey, now: Date): void {
  insertAtEnd(
    tx,
    sql`INSERT INTO "AskerHistory" AS h ("targetDucklingId", "askerId", "action", "asked", "askedAt")
      VALUES (${keyOf(peck)}, 1, ${now}::timestamptz)
      ON CONFLICT ("targetDucklingId", "askerId", "action") DO UPDATE SET "asked" = h."asked" + 1, "askedAt" = EXCLUDED."askedAt"`,
  )
}

/**
 * Counts an approval and stores its params for the comparison with the next request, at the end of the transaction. `byRule`: a rule approved it
 * as it came, so the request is counted, too. The asker is no stranger any more, so the asker's other pecks leave the second list.
 */
export function addApproved(
  tx: Tx,
  peck: HistoryKey & Pick<PeckRow, 'requesterDucklingId' | 'params' | 'createdAt'>,
  now: Date,
  { byRule = false } = {},
): void {
  const { requesterDucklingId, targetDucklingId, askerId } = peck
  const ruled = byRule ? 1 : 0
  // With the condition of the index "Peck_limits_idx". Locked in the order of their ids, as by other commands.
  const strangers = sql`SELECT "id" FROM "Peck"
    WHERE "requesterDucklingId" = ${requesterDucklingId} AND "targetDucklingId" = ${targetDucklingId} AND "status" = 'pending'
      AND "askerId" = ${askerId} AND "stranger" ORDER BY "id" FOR NO KEY UPDATE`
  beforeCommit(
    tx,
    sql`WITH known AS (UPDATE "Peck" SET "stranger" = false WHERE "id" = ANY(ARRAY(${strangers})))
      INSERT INTO "AskerHistory" AS h ("targetDucklingId", "askerId", "action", "asked", "askedAt", "approved", "approvedByRule", "approvedAt", "approvedParams")
      VALUES (${keyOf(peck)}, 1, ${peck.createdAt}::timestamptz, 1, ${ruled}::int, ${now}::timestamptz, ${peck.params})
      ON CONFLICT ("targetDucklingId", "askerId", "action") DO UPDATE SET "asked" = h."asked" + ${ruled}::int,
        "askedAt" = CASE WHEN ${byRule}::boolean THEN EXCLUDED."askedAt" ELSE h."askedAt" END, "approved" = h."approved" + 1,
        "approvedByRule" = h."approvedByRule" + ${ruled}::int, "approvedAt" = EXCLUDED."approvedAt", "approvedParams" = EXCLUDED."approvedParams"`,
  )
}

/**
 * Takes an approval that was undone out of the history, at the end of the transaction: what was approved last is what was approved before. An
 * asker of whom nothing else was approved is unknown again. Call it after the change of the peck.
 */
export function removeApproved(tx: Tx, { targetDucklingId, askerId, action }: HistoryKey): void {
  const ofKey = sql`"targetDucklingId" = ${targetDucklingId} AND "askerId" = ${askerId} AND "action" = ${action}`
  beforeCommit(
    tx,
    sql`WITH last AS (SELECT "decidedAt", "params" FROM "Peck" WHERE ${ofKey} AND "status" = 'approved' AND NOT "undone"
        ORDER BY "decidedAt" DESC, "id" DESC LIMIT 1)
      UPDATE "AskerHistory" SET "approved" = "approved" - 1,
        "approvedAt" = CASE WHEN "approved" > 1 THEN (SELECT "decidedAt" FROM last) END,
        "approvedParams" = CASE WHEN "approved" > 1 THEN (SELECT "params" FROM last) END
      WHERE ${ofKey} AND "approved" > 0`,
  )
}

/**
 * Counts the history of a target again from the pecks that the target has seen. Approvals that `isForeign` selects do not count:
 * somebody else may have given them, before the first proof of the address or before a change of it was undone.
 */
export async function recountHistory(tx: Tx, targetDucklingId: string, isForeign: Sql): Promise<void> {
  const approved = sql`FILTER (WHERE "status" = 'approved' AND NOT "undone")`
  await tx.run`UPDATE "Peck" SET "undone" = true WHERE "targetDucklingId" = ${targetDucklingId} AND "status" = 'approved' AND ${isForeign}`
  await tx.askerHistory.deleteMany({ where: { targetDucklingId } })
  await tx.run`
    INSERT INTO "AskerHistory" ("targetDucklingId", "askerId", "action", "asked", "askedAt", "approved", "approvedByRule", "approvedAt", "approvedParams")
    SELECT "targetDucklingId", "askerId", "action", count(*) FILTER (WHERE "supersedes" IS NULL), max("createdAt"), count(*) ${approved}, count("ruleId") ${approved},
      max("decidedAt") ${approved},
      (array_agg("params" ORDER BY "decidedAt" DESC, "id" DESC) ${approved})[1]
    FROM "Peck" WHERE "targetDucklingId" = ${targetDucklingId} AND (NOT "blocked" OR "hiddenAt" IS NOT NULL)
      AND "action" <> ${testAction}
    GROUP BY "targetDucklingId", "askerId", "action"`
}

/** What the target makes of an asker by now. */
interface Standing {
  /** Whether the target has permitted anything to the asker. */
  knowsAsker: boolean
  /** Whether it is an own agent that a passkey of the target made. */
  isMade: boolean
}

/** Tells in SQL whether the asker with that id is an agent of the target that a passkey of the target made. Both as SQL. */
export const isMadeAgent = (askerId: Sql, targetId: Sql): Sql => sql`EXISTS (SELECT 1 FROM "Agent" made
  WHERE made."id" = ${askerId} AND made."ducklingId" = ${targetId} AND made."madeByPasskey")`

type FirstColumns = Pick<
  PeckRow,
  | 'id'
  | 'requesterDucklingId'
  | 'targetDucklingId'
  | 'askerId'
  | 'riskLevel'
  | 'riskReasons'
  | 'action'
  | 'scope'
  | 'params'
>

/**
 * Whether a peck is a first contact: nothing of its asker was approved. An own agent that a passkey made is known from the start, for what has a
 * low risk.
 */
export const isFirst = (peck: FirstColumns, { knowsAsker, isMade }: Standing): boolean =>
  !knowsAsker && !(isMade && storedLevel(peck) === 'low')

/**
 * Returns which of the pecks are first contacts now: nothing of their asker is approved. What was approved when they were sent may be undone since. They
 * are never approved together with others (docs/risk.md).
 */
export async function firstContacts(
  tx: Tx,
  targetDucklingId: string,
  pecks: FirstColumns[],
): Promise<Set<string>> {
  // A test request permits nothing.
  const asked = pecks.filter(({ action }) => !isTestRequest(action))
  if (asked.length === 0) return new Set()
  const askers = [...new Set(asked.map(({ askerId }) => askerId))]
  const rows = await tx.rows<Standing & { id: string }>`
    SELECT asker."id", ${hasPermitted(sql`${targetDucklingId}`, sql`asker."id"`)} AS "knowsAsker",
      ${isMadeAgent(sql`asker."id"`, sql`${targetDucklingId}`)} AS "isMade"
    FROM unnest(${askers}::text[]) AS asker("id")`
  const standings = new Map(rows.map(({ id, ...standing }) => [id, standing]))
  const unknown = { knowsAsker: false, isMade: false }
  return new Set(
    asked.filter((peck) => isFirst(peck, standings.get(peck.askerId) ?? unknown)).map(({ id }) => id),
  )
}

/** What a target reads first about a peck, and whether the peck is a first contact now. */
export interface FirstRead {
  line: FirstLineInput | null
  isFirst: boolean
}

/** Returns what is read first about each peck of one target, by id. */
export async function firstLinesOf(
  tx: Tx,
  targetDucklingId: string,
  pecks: PeckRow[],
): Promise<Map<string, FirstRead>> {
  const first = await firstContacts(tx, targetDucklingId, pecks)
  return new Map(
    pecks.map((peck) => {
      const isFirst = first.has(peck.id)
      return [peck.id, { line: firstLineOf(peck, storedRisk(peck), isFirst), isFirst }]
    }),
  )
}

/** What is stored about an asker when it asks for an action again. */
export interface AskerColumns {
  /** Whether the target has permitted anything to the asker. */
  knowsAsker: boolean
  /** How often the target approved this action of the asker, and the params of the last time. Null when the asker never asked for it. */
  approved: number | null
  approvedParams: string | null
  agentCreatedAt: Date | null
  keyCreatedAt: Date | null
  /** Whether the target has seen no request of its own agent that a passkey made. Null for all other askers. */
  isFirstOfMade: boolean | null
  /** The askers that the target knows, when this one is unknown. */
  knownAskers: KnownAsker[]
}

/** Returns what the rules of risk look at. */
export function askerFacts(facts: AskerColumns, asker: NamedAsker, now: Date): AskerFacts {
  const { approved, approvedParams, agentCreatedAt, keyCreatedAt } = facts
  const age = (since: Date) => Math.floor((now.getTime() - since.getTime()) / 1000)
  const isRotated = agentCreatedAt !== null && keyCreatedAt !== null && keyCreatedAt > agentCreatedAt
  return {
    knowsAsker: facts.knowsAsker,
    isFirstOfMade: facts.isFirstOfMade,
    approved: approved ?? 0,
    approvedParams: approvedParams === null ? null : (JSON.parse(approvedParams) as Params),
    agentAge: agentCreatedAt === null ? null : age(agentCreatedAt),
    keyAge: isRotated ? age(keyCreatedAt) : null,
    likeness: likenessOf(asker, facts.knownAskers, now),
  }
}

type NamedSides = Pick<
  PeckRow,
  | 'requesterDucklingId'
  | 'requesterName'
  | 'requesterFullName'
  | 'requesterHandle'
  | 'targetDucklingId'
  | 'targetName'
  | 'targetFullName'
  | 'targetHandle'
  | 'agentName'
>

/** Returns the names of both sides, for the comparison with those whom the target knows. */
export function namedAsker(peck: NamedSides): NamedAsker {
  return {
    agentName: peck.agentName,
    person: {
      ducklingId: peck.requesterDucklingId,
      displayName: peck.requesterName,
      fullName: peck.requesterFullName,
      handle: peck.requesterHandle,
    },
    target: {
      ducklingId: peck.targetDucklingId,
      displayName: peck.targetName,
      fullName: peck.targetFullName,
      handle: peck.targetHandle,
    },
  }
}
