/**
 * Compares an asker with those whom its targets know, again after a change of a name. Otherwise somebody could ask with any name first and
 * take the name of a known person afterwards: requests show the present names.
 */

import type { RiskReason } from '@beak/decision/risk/levels'
import { say } from '@beak/decision/wording'
import type { Tx } from '@/lib/db/client'
import { leftJoinRow, sql } from '@/lib/db/sql'
import { namedAsker } from '@/lib/domain/pecks/asker-history'
import { type KnownAsker, likenessOf } from '@/lib/domain/pecks/risk/likeness'
import { riskText, storedRisk, withText } from '@/lib/domain/pecks/risk/read'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { isPendingAt, knowsAsker } from '@/lib/domain/pecks/state'
import { signal } from '@/lib/infrastructure/events/signals'
import { knownAskers } from './request-facts'

/** So many requests are compared. Of an asker with more of them, the others only say that the name changed. */
const comparedMax = 50

interface WaitingRow
  extends Pick<
    PeckRow,
    | 'id'
    | 'requesterDucklingId'
    | 'targetDucklingId'
    | 'action'
    | 'scope'
    | 'params'
    | 'riskLevel'
    | 'riskReasons'
    | 'agentName'
    | 'requesterName'
    | 'requesterFullName'
    | 'requesterHandle'
    | 'targetName'
    | 'targetFullName'
    | 'targetHandle'
  > {
  /** Null beyond the limit. */
  knownAskers: KnownAsker[] | null
}

/**
 * Makes the pending requests of a person and all agents, or of one agent, a high risk when its new name is like that of somebody whom the
 * target knows. Call it after the change, in its transaction: a request that is sent at the same time waits for the lock of the account or
 * the agent. Requests of an asker of whom the target has approved something stay as they are.
 */
export async function compareRenamedAsker(
  tx: Tx,
  { ducklingId, agentId }: { ducklingId: string; agentId?: string },
  now: Date,
): Promise<void> {
  const rows = await lockWaiting(tx, { ducklingId, agentId }, now)
  const changed = rows.flatMap((row) => {
    const reason = reasonFor(row, now)
    if (reason === null) return []
    const risk = storedRisk(row)
    const others = risk.reasons.filter(({ rule }) => rule !== 'same_name' && rule !== 'look_alike')
    return [{ row, reasons: riskText({ ...risk, reasons: [withText(reason), ...others] }) }]
  })
  if (changed.length === 0) return
  await tx.run`
    UPDATE "Peck" p SET "riskLevel" = 'high', "riskReasons" = changed."reasons"
    FROM unnest(${changed.map(({ row }) => row.id)}::text[], ${changed.map(({ reasons }) => reasons)}::text[]) AS changed("id", "reasons")
    WHERE p."id" = changed."id" AND p."status" = 'pending'`
  signal(tx, ...new Set(changed.map(({ row }) => row.targetDucklingId)))
}

/** Locks the requests in the order of their ids, as other commands do. */
function lockWaiting(
  tx: Tx,
  { ducklingId, agentId }: { ducklingId: string; agentId: string | undefined },
  now: Date,
): Promise<WaitingRow[]> {
  const ofAsker = agentId === undefined ? sql`true` : sql`"askerId" = ${agentId}`
  const sides = {
    requesterDucklingId: sql`p."requesterDucklingId"`,
    targetDucklingId: sql`p."targetDucklingId"`,
  }
  return tx.rows<WaitingRow>`
    WITH waiting AS (
      SELECT * FROM "Peck" WHERE "requesterDucklingId" = ${ducklingId} AND "targetDucklingId" <> ${ducklingId} AND ${ofAsker}
        AND ${isPendingAt(now)} AND NOT ${knowsAsker('"Peck"')}
      ORDER BY "id" FOR NO KEY UPDATE OF "Peck"
    ), p AS (SELECT *, row_number() OVER (ORDER BY "id" DESC) AS "number" FROM waiting)
    SELECT p."id", p."requesterDucklingId", p."targetDucklingId", p."action", p."scope", p."riskLevel", p."riskReasons",
      CASE WHEN p."riskReasons" IS NULL THEN p."params" ELSE '{}' END AS "params",
      r."displayName" AS "requesterName", r."fullName" AS "requesterFullName", r."handle" AS "requesterHandle",
      t."displayName" AS "targetName", t."fullName" AS "targetFullName", t."handle" AS "targetHandle", a."name" AS "agentName",
      CASE WHEN p."number" <= ${comparedMax} THEN (${knownAskers(sides)}) END AS "knownAskers"
    FROM p JOIN "Duckling" r ON r."id" = p."requesterDucklingId" JOIN "Duckling" t ON t."id" = p."targetDucklingId"
    ${leftJoinRow('Agent', 'a', 'p."requesterAgentId"')}`
}

function reasonFor(row: WaitingRow, now: Date): RiskReason | null {
  if (row.knownAskers === null) return { rule: 'look_alike', level: 'high', wording: say('name_changed') }
  const likeness = likenessOf(namedAsker(row), row.knownAskers, now)
  return likeness === null || likeness.rule === 'other_agent'
    ? null
    : { rule: likeness.rule, level: 'high', wording: likeness.wording }
}
