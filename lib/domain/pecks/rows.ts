/**
 * Reading pecks with the names that stand around them, in one statement each: hot paths should not ask four times for what
 * one join knows. A change is read back by the very statement that makes it.
 */
import { Prisma, type Tx } from '@/lib/db/client'
import type { Peck } from '@/lib/db/generated/client'
import type { AgentCaller, OperatorContext, SessionCaller, Tier } from '@/lib/kernel/context'

/** Who can ask for permission. */
export type Operator = SessionCaller | AgentCaller

export interface PeckRow
  extends Omit<Peck, 'approval' | 'pendingKey' | 'askedBySession' | 'decidedBySession'> {
  requesterName: string
  requesterTier: Tier
  targetName: string
  targetRequiresPasskey: boolean
  agentName: string | null
  agentStatus: 'registered' | 'bonded' | 'suspended' | 'deregistered' | null
  /** The newest grant token that a trusted key signed: encrypted (see grant.ts), and when it expires. Null without one. */
  grantSealed: Uint8Array | null
  grantTokenExpiresAt: Date | null
}

/** A peck and the grant token that was presented for it. */
export interface PresentedGrant extends PeckRow {
  presentedExpiresAt: Date
}

/** The pecks of a statement that gives whole rows of "Peck" (a SELECT, or an UPDATE … RETURNING *), newest first. */
export function readPecks(tx: Tx, statement: Prisma.Sql): Promise<PeckRow[]> {
  return tx.$queryRaw<PeckRow[]>(readingOf(statement))
}

/** The statement that reads the names and the token around pecks. `more` are further columns of `statement`. */
function readingOf(statement: Prisma.Sql, more = Prisma.empty): Prisma.Sql {
  return Prisma.sql`
    WITH p AS (${statement})
    SELECT p."id", p."requesterDucklingId", p."requesterAgentId", p."askerId", p."targetDucklingId", p."action",
      p."scope"::text AS "scope", p."params", p."paramsHash", p."message", p."status"::text AS "status", p."reason", p."blocked",
      p."createdAt", p."expiresAt", p."decidedAt", p."grantSeconds", p."grantExpiresAt", p."grantRevokedAt", p."uses", p."maxUses",
      r."displayName" AS "requesterName", r."trustTier"::text AS "requesterTier",
      t."displayName" AS "targetName", t."requirePasskeyForPecks" AS "targetRequiresPasskey",
      a."name" AS "agentName", a."status"::text AS "agentStatus",
      g."sealed" AS "grantSealed", g."expiresAt" AS "grantTokenExpiresAt"${more}
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

/** The peck of that id, whoever's it is. */
export async function findPeck(tx: Tx, peckId: string): Promise<PeckRow | null> {
  const rows = await readPecks(tx, Prisma.sql`SELECT * FROM "Peck" WHERE "id" = ${peckId}`)
  return rows[0] ?? null
}

/** The peck of the grant token with that SHA-256, or null when no such token was given out. */
export async function findPeckOfToken(tx: Tx, digest: Uint8Array): Promise<PresentedGrant | null> {
  const statement = Prisma.sql`SELECT t.*, presented."expiresAt" AS "presentedExpiresAt"
    FROM "GrantToken" presented JOIN "Peck" t ON t."id" = presented."peckId" WHERE presented."hash" = ${digest}`
  const [found] = await tx.$queryRaw<PresentedGrant[]>(
    readingOf(statement, Prisma.sql`, p."presentedExpiresAt"`),
  )
  return found ?? null
}

/** The id a caller asks under: an agent its own, a person the duckling's. */
export function askerIdOf(caller: Operator): string {
  return caller.type === 'agent' ? caller.agentId : caller.id
}

/** Whether the caller asked for it: an agent its own pecks, a person those of their agents too. */
export function isAsker(caller: Operator, peck: PeckRow): boolean {
  return caller.type === 'agent' ? caller.agentId === peck.askerId : caller.id === peck.requesterDucklingId
}

/** Whether the caller was asked. An agent never is; a peck of somebody the target had blocked reached nobody. */
export function isTarget(caller: Operator, peck: PeckRow): boolean {
  return caller.type === 'duckling' && caller.id === peck.targetDucklingId && !peck.blocked
}

/** A peck the caller may see. Throws `peck_missing`: one that is not theirs is not there. */
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

/** A peck the caller was asked. Throws `peck_missing`, or `not_the_target` to the one who asked. */
export async function getPeckAsTarget(
  tx: Tx,
  context: OperatorContext<'peck_missing' | 'not_the_target'>,
  peckId: string,
): Promise<PeckRow> {
  const peck = await getVisiblePeck(tx, context, peckId)
  if (!isTarget(context.caller, peck)) throw context.fail('not_the_target')
  return peck
}

/** A peck the caller asked. Throws `peck_missing`, or `not_the_asker` to the one who was asked. */
export async function getPeckAsAsker(
  tx: Tx,
  context: OperatorContext<'peck_missing' | 'not_the_asker'>,
  peckId: string,
): Promise<PeckRow> {
  const peck = await getVisiblePeck(tx, context, peckId)
  if (!isAsker(context.caller, peck)) throw context.fail('not_the_asker')
  return peck
}
