/**
 * Reads pecks together with the names of both sides, the agent and the grant token, in one statement. Statements that change a
 * peck return the changed row in the same way, so no second query is needed.
 */
import { Prisma, type Tx } from '@/lib/db/client'
import type { Peck } from '@/lib/db/generated/client'
import type { AgentCaller, OperatorContext, SessionCaller, Tier } from '@/lib/kernel/context'

/** A caller that can ask for permission. */
export type Operator = SessionCaller | AgentCaller

export interface PeckRow
  extends Omit<Peck, 'approval' | 'pendingKey' | 'askedBySession' | 'decidedBySession'> {
  requesterName: string
  requesterTier: Tier
  targetName: string
  targetRequiresPasskey: boolean
  agentName: string | null
  agentStatus: 'registered' | 'bonded' | 'suspended' | 'deregistered' | null
  /** The newest grant token that a trusted key signed, encrypted (see grant.ts), and its expiry. Null when there is none. */
  grantSealed: Uint8Array | null
  grantTokenExpiresAt: Date | null
}

/** A peck, and the expiry of the grant token that was presented for it. */
export interface PresentedGrant extends PeckRow {
  presentedExpiresAt: Date
}

/** Returns the pecks of a statement that yields whole rows of "Peck" (a SELECT, or an UPDATE … RETURNING *), newest first. */
export function readPecks(tx: Tx, statement: Prisma.Sql): Promise<PeckRow[]> {
  return tx.rows<PeckRow>`${withNames(statement)}`
}

/** Joins the names and the newest token to the pecks of `statement`. `extraColumns` are further columns of `statement`. */
function withNames(statement: Prisma.Sql, extraColumns = Prisma.empty): Prisma.Sql {
  return Prisma.sql`
    WITH p AS (${statement})
    SELECT p."id", p."requesterDucklingId", p."requesterAgentId", p."askerId", p."targetDucklingId", p."action",
      p."scope"::text AS "scope", p."params", p."paramsHash", p."message", p."status"::text AS "status", p."reason", p."blocked",
      p."createdAt", p."expiresAt", p."decidedAt", p."grantSeconds", p."grantExpiresAt", p."grantRevokedAt", p."uses", p."maxUses",
      r."displayName" AS "requesterName", r."trustTier"::text AS "requesterTier",
      t."displayName" AS "targetName", t."requirePasskeyForPecks" AS "targetRequiresPasskey",
      a."name" AS "agentName", a."status"::text AS "agentStatus",
      g."sealed" AS "grantSealed", g."expiresAt" AS "grantTokenExpiresAt"${extraColumns}
    FROM p
    JOIN "Duckling" r ON r."id" = p."requesterDucklingId"
    JOIN "Duckling" t ON t."id" = p."targetDucklingId"
    LEFT JOIN "Agent" a ON a."id" = p."requesterAgentId"
    LEFT JOIN LATERAL (
      SELECT gt."sealed", gt."expiresAt" FROM "GrantToken" gt JOIN "SigningKey" k ON k."kid" = gt."kid"
      WHERE p."status" = 'approved' AND gt."peckId" = p."id" AND k."distrustedAt" IS NULL
      ORDER BY gt."createdAt" DESC LIMIT 1) g ON true
    ORDER BY p."id" DESC`
}

/** Returns the peck with that id, or null. Does not check who may see it. */
export async function findPeck(tx: Tx, peckId: string): Promise<PeckRow | null> {
  const rows = await readPecks(tx, Prisma.sql`SELECT * FROM "Peck" WHERE "id" = ${peckId}`)
  return rows[0] ?? null
}

/** Returns the peck of the grant token with that SHA-256, or null when the service never issued such a token. */
export async function findPeckOfToken(tx: Tx, digest: Uint8Array): Promise<PresentedGrant | null> {
  const statement = Prisma.sql`SELECT t.*, presented."expiresAt" AS "presentedExpiresAt"
    FROM "GrantToken" presented JOIN "Peck" t ON t."id" = presented."peckId" WHERE presented."hash" = ${digest}`
  const [found] = await tx.rows<PresentedGrant>`${withNames(statement, Prisma.sql`, p."presentedExpiresAt"`)}`
  return found ?? null
}

/** Returns the id that the caller asks with: the agent's id for an agent, the duckling's id for a person. */
export function askerIdOf(caller: Operator): string {
  return caller.type === 'agent' ? caller.agentId : caller.id
}

/** Whether the caller is the asker. A person also counts as the asker of the pecks of their agents. */
export function isAsker(caller: Operator, peck: PeckRow): boolean {
  return caller.type === 'agent' ? caller.agentId === peck.askerId : caller.id === peck.requesterDucklingId
}

/** Whether the caller is the target. An agent never is, and a peck of a blocked asker has no visible target. */
export function isTarget(caller: Operator, peck: PeckRow): boolean {
  return caller.type === 'duckling' && caller.id === peck.targetDucklingId && !peck.blocked
}

/** Returns a peck that the caller may see. Throws `peck_missing`, also for a peck of other people. */
export async function getVisiblePeck(
  tx: Tx,
  context: OperatorContext<'peck_missing'>,
  peckId: string,
): Promise<PeckRow> {
  const { caller } = context
  const peck = await findPeck(tx, peckId)
  if (!peck || !(isAsker(caller, peck) || isTarget(caller, peck))) throw context.fail('peck_missing')
  return peck
}

/** Returns a peck whose target is the caller. Throws `peck_missing`, or `not_the_target` when the caller is the asker. */
export async function getPeckAsTarget(
  tx: Tx,
  context: OperatorContext<'peck_missing' | 'not_the_target'>,
  peckId: string,
): Promise<PeckRow> {
  const peck = await getVisiblePeck(tx, context, peckId)
  if (!isTarget(context.caller, peck)) throw context.fail('not_the_target')
  return peck
}

/** Returns a peck whose asker is the caller. Throws `peck_missing`, or `not_the_asker` when the caller is the target. */
export async function getPeckAsAsker(
  tx: Tx,
  context: OperatorContext<'peck_missing' | 'not_the_asker'>,
  peckId: string,
): Promise<PeckRow> {
  const peck = await getVisiblePeck(tx, context, peckId)
  if (!isAsker(context.caller, peck)) throw context.fail('not_the_asker')
  return peck
}
