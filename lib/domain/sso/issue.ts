import { db, type Tx } from '@/lib/db/client'
import { joinRow, sql } from '@/lib/db/sql'
import { beforeCommit, transaction } from '@/lib/db/transaction'
import { requireUnpaused } from '@/lib/domain/agents/pause'
import { lockBondedAgent } from '@/lib/domain/agents/read'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { type ProofFailure, proofCounts, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext, OperatorContext } from '@/lib/kernel/request/context'
import { day, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { mintToken } from '@/lib/kernel/secrets/secret-token'

const lifetimeSeconds = 5 * minute

export interface IssuedToken {
  sso_token: string
  target_domain: string
  scope: string
  expires_at: Date
}

/**
 * Throws unless the caller's session has proved for this domain who the person is, or proves it now (contract F, Sensitive changes). A proof
 * with a passkey counts until the passkey is removed, and one with a fresh sign-in until the account has a passkey. It ends with the session.
 */
async function requireProofFor(
  tx: Tx,
  context: DucklingContext<ProofFailure>,
  domain: string,
): Promise<void> {
  const { caller, now } = context
  const [proof] = await tx.rows`
    SELECT 1 FROM "SignOnProof" o ${joinRow('Session', 's', 'o."sessionId"')}
    WHERE o."sessionId" = ${caller.sessionId} AND o."domain" = ${domain} AND ${proofCounts('s', 'o')}`
  if (proof !== undefined) return
  await requireProof(tx, context)
  await tx.run`
    INSERT INTO "SignOnProof" ("sessionId", "domain", "passkeyId", "provedAt")
    SELECT s."id", ${domain}, p."id", ${now}::timestamptz FROM "Session" s
    LEFT JOIN "Passkey" p ON p."id" = s."passkeyId" AND p."ducklingId" = ${caller.id} WHERE s."id" = ${caller.sessionId}
    ON CONFLICT ("sessionId", "domain") DO UPDATE SET "passkeyId" = EXCLUDED."passkeyId", "provedAt" = EXCLUDED."provedAt"`
  // Mails have no addresses that others chose.
  announceChange(tx, context, 'signed_on', '', domain)
}

/**
 * Issues an SSO token for one domain, valid for five minutes. The token cannot be read again later, and it becomes invalid when the
 * session or agent that issued it ends. With a session, its first token for a domain needs a recent proof. Throws `agent_not_bonded` when the agent has just been suspended or deregistered, `paused` for an agent while its owner has paused everything, and the failures of `requireProof`.
 */
export function issueToken(
  context: OperatorContext<'agent_not_bonded' | 'paused' | ProofFailure>,
  targetDomain: string,
  scope: string,
): Promise<IssuedToken> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const [, firstOfDomain] = await Promise.all([
      caller.type === 'agent'
        ? lockBondedAgent(tx, context, caller.agentId)
        : requireProofFor(tx, { ...context, caller }, targetDomain),
      tx.run`INSERT INTO "SsoDomain" ("domain", "createdAt") VALUES (${targetDomain}, ${now}) ON CONFLICT DO NOTHING`,
    ])
    const { id, token, secretHash } = mintToken('sso', now)
    const expiresAt = secondsAfter(now, lifetimeSeconds)
    const [agentId, sessionId] = caller.type === 'agent' ? [caller.agentId, null] : [null, caller.sessionId]
    const insert = sql`
      INSERT INTO "SsoToken" ("id", "secretHash", "ducklingId", "agentId", "sessionId", "targetDomain", "scope", "createdAt", "expiresAt")
      VALUES (${id}, ${secretHash}, ${caller.id}, ${agentId}, ${sessionId}, ${targetDomain}, ${scope}, ${now}, ${expiresAt})`
    beforeCommit(tx, insert)
    record(tx, context, 'sso.issued', {
      targets: [{ type: 'sso_token', id }],
      metadata: { target_domain: targetDomain, scope },
      counts: { domains: firstOfDomain },
    })
    if (agentId !== null) requireUnpaused(tx, caller.id, () => context.fail('paused'))
    return { sso_token: token, target_domain: targetDomain, scope, expires_at: expiresAt }
  })
}

/** Deletes tokens that expired more than a day ago. Their events stay in the audit log. Called by the worker. */
export async function deleteExpiredTokens(now: Date): Promise<void> {
  await db().ssoToken.deleteMany({ where: { expiresAt: { lt: secondsAfter(now, -day) } } })
}
