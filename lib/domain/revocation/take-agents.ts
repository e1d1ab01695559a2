/** Takes away agents and what acts or receives for an account: keys, handshakes, tokens, webhooks and channels. */
import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { retireKey } from '@/lib/domain/agents/credentials'
import { holdAgents } from '@/lib/domain/agents/suspend'
import { revokeActiveCertificate } from '@/lib/domain/certs/issue'
import { endSiteSignIns } from '@/lib/domain/sessions/end-site-sign-ins'
import { lockEndpoints, removeEndpoints } from '@/lib/domain/webhooks/delete'
import { holdEndpoints } from '@/lib/domain/webhooks/disable'
import { warnReceiver } from '@/lib/domain/webhooks/warn'
import { record } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { retireAgents } from './deregister'
import { type Ended, holds, idsOf, madeRow, type Taking } from './taking'

export async function takeCertificate(tx: Tx, { context, ducklingId }: Taking) {
  const revoked = await revokeActiveCertificate(tx, context, ducklingId, 'The account was closed.')
  return { certificates: revoked === null ? [] : [revoked.id] }
}

/** What lets an agent work again or do more, or silences its guard. Events name no session, so those of the day before count too, as for rules. */
const changes = ['agent.connected', 'agent.resumed', 'agent.updated', 'agent.alarms_off']

/** Selects agents that a thief may have resumed or changed: a session of the device flow may have prepared one long before. */
const changedAgent = ({ ducklingId, since }: Taking): Sql => sql`"id" IN (
  SELECT target ->> 'id' FROM "AuditEvent" e, jsonb_array_elements(e."targets") target
  WHERE e."ducklingId" = ${ducklingId} AND e."action" = ANY(${changes}::text[]) AND e."outcome" = 'success'
    AND e."occurredAt" >= ${secondsAfter(since, -day)}::timestamptz AND target ->> 'type' = 'agent')`

/** A suspended account keeps its agents: only their streams and long polls end, because every later request reads the account. */
export async function takeAgents(tx: Tx, taking: Taking): Promise<Partial<Ended>> {
  const { occasion, context, ducklingId } = taking
  const found = await tx.rows<{ id: string }>`
    SELECT "id" FROM "Agent" WHERE "ducklingId" = ${ducklingId} AND "status" <> 'deregistered'
      AND (${madeRow(taking)} ${holds(taking) ? sql`OR ${changedAgent(taking)}` : sql``})`
  const ids = found.map(({ id }) => id)
  if (occasion === 'suspension') {
    signal(tx, ...ids)
    return {}
  }
  if (holds(taking)) return { agents: (await holdAgents(tx, context, ids)).map(({ id }) => id) }
  const retired = await retireAgents(tx, context, ducklingId, { id: { in: ids } })
  return {
    agents: retired.map(({ agentId }) => agentId),
    keys: retired.flatMap(({ keyIds }) => keyIds),
    sso_tokens: retired.flatMap(({ ssoTokens }) => ssoTokens),
    pecks_cancelled: retired.flatMap(({ cancelledPecks }) => cancelledPecks),
    grants_revoked: retired.flatMap(({ revokedGrants }) => revokedGrants),
    rules: retired.flatMap(({ rules }) => rules),
  }
}

export async function takeHandshakes(tx: Tx, taking: Taking) {
  await tx.run`
    DELETE FROM "Handshake"
    WHERE "agentId" IN (SELECT "id" FROM "Agent" WHERE "ducklingId" = ${taking.ducklingId}) AND ${madeRow(taking)}`
  return {}
}

/** Retires keys that were made after their agents: by a rotation. The owner can make new ones. Deletes those of a closed account. */
export async function takeKeys(tx: Tx, taking: Taking): Promise<Partial<Ended>> {
  const { occasion, context, ducklingId } = taking
  if (occasion === 'close') {
    await tx.beakKey.deleteMany({ where: { agent: { ducklingId } } })
    return {}
  }
  const keys = await tx.rows<{ id: string; agentId: string }>`
    SELECT "id", "agentId" FROM "BeakKey" WHERE "activeFor" IN (
      SELECT a."id" FROM "Agent" a WHERE a."ducklingId" = ${ducklingId} AND a."createdAt" < "BeakKey"."createdAt")
    AND ${madeRow(taking)} ORDER BY "id"`
  for (const { agentId } of keys) await retireKey(tx, agentId, context.now)
  return { keys: keys.map(({ id }) => id) }
}

/** Deletes the connections of an account, with the codes and tokens of their programs. */
export async function takeConnections(tx: Tx, { ducklingId }: Taking) {
  await tx.run`
    DELETE FROM "OAuthRecord" WHERE "grantHash" IN (SELECT "grantHash" FROM "Connection" WHERE "ducklingId" = ${ducklingId})`
  await tx.connection.deleteMany({ where: { ducklingId } })
  return {}
}

/** Deletes sites, also those that were changed: people sign in there by the word of this account. */
export async function takeSites(tx: Tx, { context: { now }, ducklingId, isMade }: Taking) {
  const sites = sql`"ducklingId" = ${ducklingId} AND ${isMade(sql`"sessionId"`, sql`"changedAt"`)}`
  await endSiteSignIns(tx, sql`"siteId" IN (SELECT "id" FROM "Site" WHERE ${sites})`, now)
  await tx.run`DELETE FROM "Site" WHERE ${sites}`
  return {}
}

/** Deletes what sites may learn. Their sign-ins end with the sessions. */
export async function takeSiteConsents(tx: Tx, taking: Taking) {
  await tx.run`DELETE FROM "SiteConsent" WHERE "ducklingId" = ${taking.ducklingId} AND ${madeRow(taking)}`
  return {}
}

/** Revokes the tokens of sessions, and the tokens of agents that ended or lost a key. Deletes all tokens of a closed account. */
export async function takeSsoTokens(tx: Tx, taking: Taking) {
  const { occasion, context, ducklingId, ended } = taking
  const revoked = await tx.rows<{ id: string }>`
    UPDATE "SsoToken" SET "revokedAt" = ${context.now}::timestamptz
    WHERE "ducklingId" = ${ducklingId} AND "spentAt" IS NULL AND "revokedAt" IS NULL AND "expiresAt" > ${context.now}::timestamptz
      AND (("agentId" IS NULL AND ${madeRow(taking)}) OR "agentId" = ANY(${ended.agents}::text[])
        OR "agentId" IN (SELECT "agentId" FROM "BeakKey" WHERE "id" = ANY(${ended.keys}::text[])))
    RETURNING "id"`
  if (occasion === 'close') await tx.ssoToken.deleteMany({ where: { ducklingId } })
  return { sso_tokens: idsOf(revoked) }
}

/**
 * Deletes webhooks with their messages, deliveries and attempts. A delivery in flight finds no row to update. An endpoint also counts as made when
 * it was changed: its URL may be another one since.
 */
export async function takeWebhooks(tx: Tx, taking: Taking) {
  const { occasion, context, ducklingId, isMade } = taking
  const changed = isMade(Prisma.raw('"changedBySession"'), Prisma.raw('"changedAt"'))
  const found = await tx.rows<{ id: string }>`
    SELECT "id" FROM "WebhookEndpoint"
    WHERE "ducklingId" = ${ducklingId} AND (${madeRow(taking)} OR ("changedAt" IS NOT NULL AND ${changed}))`
  const made = { id: { in: found.map(({ id }) => id) } }
  if (occasion === 'close')
    for (const endpoint of await tx.webhookEndpoint.findMany({ where: made }))
      warnReceiver(tx, context, endpoint, 'deleted')
  const ids = await lockEndpoints(tx, made)
  if (holds(taking)) {
    await holdEndpoints(tx, context, ducklingId, ids)
    return { webhooks: ids }
  }
  if (occasion === 'close') await deleteMessages(tx, ducklingId, ids)
  await removeEndpoints(tx, ids)
  const targets = ids.map((id) => ({ type: 'webhook' as const, id }))
  if (ids.length > 0 && occasion === 'close')
    record(tx, context, 'webhook.disabled', {
      concerning: [ducklingId],
      targets,
      metadata: { reason: 'account_closed' },
    })
  else if (ids.length > 0) record(tx, context, 'webhook.deleted', { concerning: [ducklingId], targets })
  return { webhooks: ids }
}

async function deleteMessages(tx: Tx, ducklingId: string, endpointIds: string[]): Promise<void> {
  await tx.run`
    DELETE FROM "WebhookMessage" WHERE "id" IN (
      SELECT "messageId" FROM "WebhookDelivery" WHERE "endpointId" = ANY(${endpointIds}::text[]))`
  // Includes deliveries in flight.
  await tx.outbox.deleteMany({ where: { endpointId: { in: endpointIds } } })
  await tx.webhookQueue.deleteMany({ where: { ducklingId } })
}

/** Deletes channels, even when others are held: a channel of a stranger must not stay, and the owner adds one again with one tap. */
export async function takeChannels(tx: Tx, taking: Taking) {
  const { occasion, context, ducklingId } = taking
  const removed = await tx.rows<{ id: string }>`
    DELETE FROM "Channel" WHERE "ducklingId" = ${ducklingId} AND ${madeRow(taking)} RETURNING "id"`
  const channels = idsOf(removed)
  if (channels.length > 0 && occasion !== 'close')
    record(tx, context, 'channel.removed', {
      concerning: [ducklingId],
      targets: channels.map((id) => ({ type: 'channel', id })),
    })
  return { channels }
}
