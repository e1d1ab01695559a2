import { db, Prisma } from '@/lib/db/client'
import { flush, lockName, transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { type ProofFailure, preparesOnly } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { failPending } from './disable'
import { checkUrl } from './guard'
import { wakeAccount } from './queue'
import { presentWebhook, type WebhookInput } from './schema'
import { mintSecret, rotationSeconds } from './secret'
import { warnReceiver } from './warn'

/**
 * Returns the assignments for an endpoint that this session changes. `sessionId` becomes null unless this session created the endpoint:
 * when the email address is verified for the first time, only endpoints of the verifying session are kept. The undo of a change of
 * address reads who changed the endpoint last, and when.
 */
function changedNow({ caller: { sessionId }, now }: DucklingContext): Prisma.Sql {
  return Prisma.sql`"sessionId" = CASE WHEN "sessionId" = ${sessionId} THEN "sessionId" END,
    "changedAt" = ${now}::timestamptz, "changedBySession" = ${sessionId}`
}

export interface WebhookChange {
  url?: string | undefined
  kinds?: string[] | undefined
  description?: string | null | undefined
  enabled?: boolean | undefined
}

/** Changes the given properties of an endpoint. Throws `invalid_request` or `webhook_not_found`. */
export async function updateWebhook(
  context: DucklingContext<'webhook_not_found' | 'invalid_request'>,
  id: string,
  change: WebhookChange,
): Promise<WebhookInput> {
  const { caller, now } = context
  if (change.url !== undefined) await checkUrl(context, change.url)
  return transaction(async (tx) => {
    const before = await tx.webhookEndpoint.findFirst({ where: { id, ducklingId: caller.id } })
    const [row] = await tx.webhookEndpoint.updateManyAndReturn({
      where: { id, ducklingId: caller.id },
      data: columnsOf(change),
    })
    if (before === null || !row) throw context.fail('webhook_not_found')
    await tx.run`UPDATE "WebhookEndpoint" SET ${changedNow(context)} WHERE "id" = ${id}`
    if (change.enabled === false) await failPending(tx, id)
    record(tx, context, 'webhook.updated', {
      targets: [{ type: 'webhook', id }],
      metadata: {
        changed: Object.keys(change).sort(),
        host: new URL(row.url).host,
        kinds: row.kinds,
        enabled: row.enabled,
      },
    })
    warnReceiver(tx, context, before, 'changed')
    announceChange(tx, context, 'webhook_changed', { id, name: id }, new URL(before.url).host)
    if (change.url !== undefined || change.enabled === true) {
      await flush(tx)
      await wakeAccount(tx, caller.id, now)
    }
    return presentWebhook(row, now)
  })
}

const noFailures = { failingSince: null, timeouts: 0, pausedUntil: null }

/** Returns the changed columns. A new URL and enabling also reset the failures. */
function columnsOf({ url, kinds, description, enabled }: WebhookChange) {
  return {
    ...(url === undefined ? {} : { url, ...noFailures }),
    ...(kinds === undefined ? {} : { kinds: [...new Set(kinds)] }),
    ...(description === undefined ? {} : { description: description || null }),
    ...(enabled === undefined
      ? {}
      : enabled
        ? { enabled, disabledReason: null, ...noFailures }
        : { enabled, disabledReason: 'owner' }),
  }
}

/**
 * Replaces the secret of an endpoint and returns the new one, which cannot be read again later. The old secret also signs for 24
 * hours. Throws `webhook_not_found`.
 * A second rotation within 24 hours ends the oldest secret.
 */
export function rotateWebhookSecret(
  context: DucklingContext<'webhook_not_found'>,
  id: string,
): Promise<WebhookInput & { secret: string }> {
  const { caller, now } = context
  const secret = mintSecret(id)
  return transaction(async (tx) => {
    const before = await tx.webhookEndpoint.findFirst({ where: { id, ducklingId: caller.id } })
    // One statement, so that the later of two simultaneous rotations keeps the secret of the earlier one.
    const count = await tx.run`
      UPDATE "WebhookEndpoint" SET "previousSecret" = "secret", "secret" = ${secret.sealed},
        "previousSecretUntil" = ${secondsAfter(now, rotationSeconds)}::timestamptz, ${changedNow(context)}
      WHERE "id" = ${id} AND "ducklingId" = ${caller.id}`
    if (before === null || count !== 1) throw context.fail('webhook_not_found')
    record(tx, context, 'webhook.rotated', { targets: [{ type: 'webhook', id }] })
    const row = await tx.webhookEndpoint.findUniqueOrThrow({ where: { id } })
    warnReceiver(tx, context, before, 'secret_changed')
    announceChange(tx, context, 'webhook_secret_changed', { id, name: id }, new URL(row.url).host)
    return { ...presentWebhook(row, now), secret: secret.shown }
  })
}

const endpointsMax = 20

export interface NewWebhook {
  url: string
  /** An empty list means all kinds. */
  kinds: string[]
  description: string | null
}

/**
 * Creates an endpoint and returns it with its secret. The secret cannot be read again later. A session of the device
 * flow only prepares it: it is switched off until its owner enables it (contract F, Sensitive changes). Throws `invalid_request`,
 * `too_many_webhooks` or the failures of `requireProof`.
 */
export async function createWebhook(
  context: DucklingContext<'too_many_webhooks' | 'invalid_request' | ProofFailure>,
  { url, kinds, description }: NewWebhook,
): Promise<WebhookInput & { secret: string }> {
  const { caller, now } = context
  const isPrepared = await preparesOnly(db(), context)
  await checkUrl(context, url)
  const id = newId('webhook', now)
  const secret = mintSecret(id)
  return transaction(async (tx) => {
    await lockName(tx, `webhooks:${caller.id}`)
    if ((await tx.webhookEndpoint.count({ where: { ducklingId: caller.id } })) >= endpointsMax)
      throw context.fail('too_many_webhooks')
    const row = await tx.webhookEndpoint.create({
      data: {
        id,
        ducklingId: caller.id,
        url,
        kinds: [...new Set(kinds)],
        description: description || null,
        secret: secret.sealed,
        createdAt: now,
        sessionId: caller.sessionId,
        ...(isPrepared ? { enabled: false, disabledReason: 'unconfirmed' } : {}),
      },
    })
    record(tx, context, 'webhook.created', {
      targets: [{ type: 'webhook', id }],
      metadata: { host: new URL(url).host, kinds: row.kinds, ...(isPrepared ? { prepared: true } : {}) },
    })
    announceChange(
      tx,
      context,
      isPrepared ? 'webhook_prepared' : 'webhook_created',
      { id, name: id },
      new URL(url).host,
    )
    return { ...presentWebhook(row, now), secret: secret.shown }
  })
}
