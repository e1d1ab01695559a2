import { db } from '@/lib/db/client'
import { liveStatuses } from '@/lib/domain/agents/schema'
import { isLivePeckOf } from '@/lib/domain/revocation/end-pecks'
import type { DucklingContext } from '@/lib/kernel/context'
import type { ClosingPreview } from './schema'

/** Counts what closing the caller's account would end now. */
export async function previewClosing({ caller, now }: DucklingContext): Promise<ClosingPreview> {
  const ducklingId = caller.id
  const ofDuckling = { ducklingId }
  const [pecks] = await db().rows<{ pending: number; granted: number }>`
    SELECT count(*) FILTER (WHERE "status" = 'pending')::int AS "pending",
      count(*) FILTER (WHERE "status" = 'approved')::int AS "granted"
    FROM "Peck" WHERE ${isLivePeckOf(ducklingId, now)} AND NOT ("blocked" AND "targetDucklingId" = ${ducklingId})`
  return {
    certificates: await db().certificate.count({ where: { ...ofDuckling, status: 'active' } }),
    agents: await db().agent.count({ where: { ...ofDuckling, status: { in: liveStatuses } } }),
    keys: await db().beakKey.count({ where: { agent: ofDuckling, activeFor: { not: null } } }),
    pecks_cancelled: pecks?.pending ?? 0,
    grants_revoked: pecks?.granted ?? 0,
    passkeys: await db().passkey.count({ where: ofDuckling }),
    sessions: await db().session.count({ where: { ...ofDuckling, revokedAt: null, expiresAt: { gt: now } } }),
    sso_tokens: await db().ssoToken.count({
      where: { ...ofDuckling, spentAt: null, revokedAt: null, expiresAt: { gt: now } },
    }),
    webhooks: await db().webhookEndpoint.count({ where: ofDuckling }),
    rules: await db().rule.count({ where: { ...ofDuckling, status: { not: 'ended' } } }),
  }
}
