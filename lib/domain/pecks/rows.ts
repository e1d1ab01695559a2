/**
 * Reads pecks together with the names of both sides and of the agent, in one statement. A command locks its peck when it
 * reads it. So the peck does not change while the command decides, and the change is written at the end of the transaction.
 */
import { batched } from '@/lib/db/batch'
import { db, Prisma, type Tx } from '@/lib/db/client'
import type { Peck } from '@/lib/db/generated/client'
import { joinRow, leftJoinRow, type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, insertAtEnd } from '@/lib/db/transaction'
import type { AgentCaller, OperatorContext, SessionCaller } from '@/lib/kernel/request/context'
import type { Tier } from '@/lib/kernel/request/tier'
import type { WouldApprove } from '@/lib/kernel/request/would-approve'

/** What a rejection that can still be undone writes when it takes effect. */
export interface HeldRejection {
  reason: string
  wouldApprove: WouldApprove | null
  unclear: boolean
  /** The passkey's proof, or null. */
  approval: object | null
  displayed: string
  decidedBySession: string
  passkeyId: string | null
  /** Where the rejection came from, for the log of the target. Null when an earlier version closed the account. */
  origin: { ip: string | null; userAgent: string | null; requestId: string | null } | null
}

/** A caller that can ask for permission. */
export type Operator = SessionCaller | AgentCaller

export interface PeckRow
  extends Omit<
    Peck,
    | 'approval'
    | 'displayed'
    | 'pendingKey'
    | 'askedBySession'
    | 'decidedBySession'
    | 'hiddenAt'
    | 'pauseLiftedAt'
    | 'heldRejection'
    | 'wouldApprove'
  > {
  heldRejection: HeldRejection | null
  wouldApprove: WouldApprove | null
  requesterName: string
  requesterFullName: string | null
  requesterHandle: string | null
  requesterSince: Date
  requesterTier: Tier
  targetName: string
  targetFullName: string | null
  targetHandle: string | null
  targetRequiresPasskey: boolean
  /** What the approver of the target covers. Null: there is none. */
  targetApprover: 'high' | 'all' | null
  /** Whether the account of one side is suspended. */
  isSuspended: boolean
  agentName: string | null
  agentStatus: 'registered' | 'bonded' | 'suspended' | 'deregistered' | null
}

/** What the receipt of a decided peck is made of. */
export interface StoredDecision extends Pick<Peck, 'displayed'> {
  /** The passkey's proof, or null. */
  approval: object | null
}

/** A peck, its stored decision, and the expiry of the grant token that was presented for it. */
export interface PresentedGrant extends PeckRow, StoredDecision {
  presentedExpiresAt: Date
  /** Whether the target has paused everything. */
  isPaused: boolean
}

/** Returns the pecks of a statement that yields whole rows of "Peck" (a SELECT, or an UPDATE … RETURNING *), newest first. */
export function readPecks(tx: Tx, statement: Sql): Promise<PeckRow[]> {
  return tx.rows`${withNames(statement)}`
}

/** Pecks with their texts that one statement reads. The heaviest of them have a quarter of a megabyte together. */
export const readAtOnce = 50

/** Returns the newest pecks of a condition on "Peck", newest first. Reads them in parts, so that no answer of the database takes long to read. */
export async function readPecksInParts(tx: Tx, condition: Sql, most = Infinity): Promise<PeckRow[]> {
  const pecks: PeckRow[] = []
  for (;;) {
    const last = pecks.at(-1)
    const part = await readPecks(
      tx,
      sql`SELECT * FROM "Peck" WHERE ${condition} ${last === undefined ? sql`` : sql`AND "id" < ${last.id}`}
        ORDER BY "id" DESC LIMIT ${Math.min(readAtOnce, most - pecks.length)}`,
    )
    pecks.push(...part)
    if (part.length < readAtOnce || pecks.length >= most) return pecks
  }
}

/** The handle of the target. A person whom the directory does not list shows it to nobody whom the person blocks. */
const targetHandle = sql`CASE WHEN t."listed" OR NOT EXISTS (SELECT 1 FROM "PeckBlock" b
  WHERE b."ducklingId" = t."id" AND b."blockedDucklingId" = r."id") THEN t."handle" END`

/** Joins the names to the pecks of `statement`. `extraColumns` are further columns of `statement`. */
function withNames(statement: Sql, extraColumns = Prisma.empty): Sql {
  return sql`
    WITH p AS (${statement})
    SELECT p."id", p."requesterDucklingId", p."requesterAgentId", p."askerId", p."targetDucklingId", p."action",
      p."scope", p."params", p."paramsHash", p."paramTypes", p."audience", p."requireSigned", p."challenge", p."codeHash", p."riskLevel", p."riskReasons", p."message", p."status", p."reason", p."blocked", p."stranger",
      p."createdAt", p."expiresAt", p."decidedAt", p."grantSeconds", p."grantExpiresAt", p."grantRevokedAt", p."grantEndHandled", p."uses", p."maxUses", p."lastUsedAt",
      p."snoozedUntil", p."rejectAt", p."heldRejection", p."wouldApprove", p."unclear", p."receiptSeed", p."statementDigest", p."notifiedAt", p."seenAt", p."rings", p."invitationId", p."ruleId", p."undone", p."supersededBy", p."supersedes",
      r."displayName" AS "requesterName", r."fullName" AS "requesterFullName", r."handle" AS "requesterHandle",
      r."createdAt" AS "requesterSince", r."trustTier" AS "requesterTier",
      t."displayName" AS "targetName", t."fullName" AS "targetFullName", ${targetHandle} AS "targetHandle", t."requirePasskeyForPecks" AS "targetRequiresPasskey", t."approverCovers" AS "targetApprover",
      (r."suspendedAt" IS NOT NULL OR t."suspendedAt" IS NOT NULL) AS "isSuspended",
      a."name" AS "agentName", a."status" AS "agentStatus"${extraColumns}
    FROM p
    ${joinRow('Duckling', 'r', 'p."requesterDucklingId"')}
    ${joinRow('Duckling', 't', 'p."targetDucklingId"')}
    ${leftJoinRow('Agent', 'a', 'p."requesterAgentId"')}
    ORDER BY p."id" DESC`
}

/** Returns the peck with that id, or null. Does not check who may see it. */
export const findPeck = batched<PeckRow>(
  ({ id }) => id,
  (ids) => readPecks(db(), sql`SELECT * FROM "Peck" WHERE "id" = ANY(${ids}::text[])`),
)

/** A peck with its newest grant token that a trusted key signed. Both are null without such a token. */
export interface PeckWithToken extends PeckRow {
  /** The token, encrypted. */
  tokenSealed: Uint8Array | null
  tokenExpiresAt: Date | null
}

/** Does the same as `findPeck`, and reads the token in the same statement: the asker polls for both. */
export const findPeckWithToken = batched<PeckWithToken>(
  ({ id }) => id,
  (ids) =>
    db().rows`${withNames(
      sql`SELECT p.*, token."sealed" AS "tokenSealed", token."expiresAt" AS "tokenExpiresAt" FROM "Peck" p
      LEFT JOIN LATERAL (SELECT t."sealed", t."expiresAt" FROM "GrantToken" t JOIN "SigningKey" k ON k."kid" = t."kid"
        WHERE t."peckId" = p."id" AND p."status" = 'approved' AND k."distrustedAt" IS NULL
        ORDER BY t."createdAt" DESC LIMIT 1) token ON true
      WHERE p."id" = ANY(${ids}::text[])`,
      sql`, p."tokenSealed", p."tokenExpiresAt"`,
    )}`,
)

/** Locks the peck with that id until the transaction ends and returns it, or null. Does not check who may see it. */
export async function lockPeck(tx: Tx, peckId: string): Promise<PeckRow | null> {
  const [peck] = await readPecks(tx, sql`SELECT * FROM "Peck" WHERE "id" = ${peckId} FOR NO KEY UPDATE`)
  return peck ?? null
}

/** Returns the peck of the grant token with that SHA-256, or null when the service never issued such a token. */
export function findPeckOfToken(digest: Uint8Array): Promise<PresentedGrant | null> {
  return readPeckOfToken(db(), digest)
}

/** Does the same as `findPeckOfToken`, and locks the peck until the transaction ends. */
export function lockPeckOfToken(tx: Tx, digest: Uint8Array): Promise<PresentedGrant | null> {
  return readPeckOfToken(tx, digest, sql`FOR NO KEY UPDATE OF t`)
}

async function readPeckOfToken(
  tx: Tx,
  digest: Uint8Array,
  lock = Prisma.empty,
): Promise<PresentedGrant | null> {
  const statement = sql`SELECT t.*, presented."expiresAt" AS "presentedExpiresAt"
    FROM "GrantToken" presented JOIN "Peck" t ON t."id" = presented."peckId" WHERE presented."hash" = ${digest}
    ${lock}`
  const [found] = await tx.rows<PresentedGrant>`${withNames(
    statement,
    sql`, p."presentedExpiresAt", p."approval", p."displayed", t."rulesPausedAt" IS NOT NULL AS "isPaused"`,
  )}`
  return found ?? null
}

/** The columns of a peck that commands change. */
export interface PeckChange
  extends Partial<
    Pick<
      Peck,
      | 'status'
      | 'reason'
      | 'blocked'
      | 'pendingKey'
      | 'decidedAt'
      | 'decidedBySession'
      | 'grantExpiresAt'
      | 'grantRevokedAt'
      | 'uses'
      | 'maxUses'
      | 'lastUsedAt'
      | 'displayed'
      | 'receiptSeed'
      | 'statementDigest'
      | 'snoozedUntil'
      | 'rejectAt'
      | 'unclear'
      | 'ruleId'
      | 'undone'
      | 'supersededBy'
    >
  > {
  approval?: object | null
  heldRejection?: HeldRejection | null
  wouldApprove?: WouldApprove | null
}

/** Changes columns of a locked peck at the end of the transaction. Returns the peck as it is afterwards. */
export function changePeck(tx: Tx, peck: PeckRow, change: PeckChange): PeckRow {
  const columns = Object.entries(change).map(([name, value]) => sql`${Prisma.raw(`"${name}"`)} = ${value}`)
  beforeCommit(tx, sql`UPDATE "Peck" SET ${Prisma.join(columns)} WHERE "id" = ${peck.id}`)
  return { ...peck, ...change }
}

/** A new peck that is not inserted yet: its columns, and the row as commands read it. */
export interface PreparedPeck {
  columns: Record<string, unknown>
  peck: PeckRow
}

/** Inserts a prepared peck at the end of the transaction and returns it. `change`: what a rule has decided. */
export function insertPeck(tx: Tx, { columns, peck }: PreparedPeck, change: PeckChange = {}): PeckRow {
  const inserted = { ...columns, ...change }
  const names = Prisma.raw(
    Object.keys(inserted)
      .map((name) => `"${name}"`)
      .join(', '),
  )
  insertAtEnd(tx, sql`INSERT INTO "Peck" (${names}) VALUES (${Prisma.join(Object.values(inserted))})`)
  return { ...peck, ...change }
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

/** Returns the peck when the caller may see it. Throws `peck_not_found`, also for a peck of other people. */
export function requireVisible<P extends PeckRow>(
  { caller, fail }: OperatorContext<'peck_not_found'>,
  peck: P | null,
): P {
  if (!peck || !(isAsker(caller, peck) || isTarget(caller, peck))) throw fail('peck_not_found')
  return peck
}

/** Returns the peck when the caller is its target. Throws `peck_not_found`, or `not_the_target` when the caller is the asker. */
export function requireTarget(
  context: OperatorContext<'peck_not_found' | 'not_the_target'>,
  peck: PeckRow | null,
): PeckRow {
  const visible = requireVisible(context, peck)
  if (!isTarget(context.caller, visible)) throw context.fail('not_the_target')
  return visible
}

/** Returns the peck when the caller is its asker. Throws `peck_not_found`, or `not_the_asker` when the caller is the target. */
export function requireAsker(
  context: OperatorContext<'peck_not_found' | 'not_the_asker'>,
  peck: PeckRow | null,
): PeckRow {
  const visible = requireVisible(context, peck)
  if (!isAsker(context.caller, visible)) throw context.fail('not_the_asker')
  return visible
}
