import { db } from '@/lib/db/client'
import { liveStatuses } from '@/lib/domain/agents/schema'
import { livePecks } from '@/lib/domain/revocation/withdraw-pecks'
import type { DucklingContext } from '@/lib/kernel/context'
import type { ClosingPreview } from './schema'

/** Counts what closing the caller's account would end now. */
export async function previewClosing({ caller, now }: DucklingContext): Promise<ClosingPreview> {
  const ducklingId = caller.id
  const mine = { ducklingId }
  const [pecks] = await db().$queryRaw<{ pending: number; granted: number }[]>`
    SELECT count(*) FILTER (WHERE "status" = 'pending')::int AS "pending",
      count(*) FILTER (WHERE "status" = 'approved')::int AS "granted"
    FROM "Peck" WHERE ${livePecks(ducklingId, now)} AND NOT ("blocked" AND "targetDucklingId" = ${ducklingId})`
  return {
    certificates: await db().certificate.count({ where: { ...mine, status: 'active' } }),
    agents: await db().agent.count({ where: { ...mine, status: { in: liveStatuses } } }),
    keys: await db().beakKey.count({ where: { agent: mine, activeFor: { not: null } } }),
    pecks_cancelled: pecks?.pending ?? 0,
    grants_revoked: pecks?.granted ?? 0,
    passkeys: await db().passkey.count({ where: mine }),
    sessions: await db().session.count({ where: { ...mine, revokedAt: null, expiresAt: { gt: now } } }),
    sso_tokens: await db().ssoToken.count({
      where: { ...mine, spentAt: null, revokedAt: null, expiresAt: { gt: now } },
    }),
    webhooks: await db().webhookEndpoint.count({ where: mine }),
  }
}
