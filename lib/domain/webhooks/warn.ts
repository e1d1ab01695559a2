/** Warns the receiver of an endpoint that the endpoint is changed or deleted (contract F, Sensitive changes). */
import { db, type Tx } from '@/lib/db/client'
import type { WebhookEndpoint } from '@/lib/db/generated/client'
import { changedMessage } from '@/lib/infrastructure/events/kinds/channels'
import { enqueue, type OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { type ClaimedRow, claimSeconds } from '@/lib/infrastructure/worker/claim'
import type { Context, SessionCaller } from '@/lib/kernel/request/context'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { signMessage } from './deliver'
import { send } from './send'

/** Short, because the warnings of all accounts share few places. */
const timeoutMs = 5000
export const warningRetrySeconds = [5, 60, 600]
/** One session warns an endpoint once in this time. */
const pauseSeconds = minute

export type EndpointBefore = Pick<
  WebhookEndpoint,
  | 'id'
  | 'ducklingId'
  | 'url'
  | 'secret'
  | 'previousSecret'
  | 'previousSecretUntil'
  | 'enabled'
  | 'sessionId'
  | 'changedAt'
  | 'changedBySession'
>

/**
 * Enqueues the warning to the receiver of an endpoint as it was before the change, which knows its old URL and secret. Does nothing for a
 * disabled endpoint, and for one that the same session created, or changed a moment ago.
 */
export function warnReceiver(
  tx: Tx,
  { caller, now }: Context<SessionCaller | null>,
  before: EndpointBefore,
  change: 'deleted' | 'changed' | 'secret_changed',
): void {
  const { id, ducklingId, url, enabled, sessionId, changedAt, changedBySession } = before
  const wasWarned =
    changedBySession === caller?.sessionId &&
    changedAt !== null &&
    now.getTime() - changedAt.getTime() < pauseSeconds * 1000
  if (!enabled || sessionId === caller?.sessionId || wasWarned) return
  const { secret, previousSecret, previousSecretUntil } = before
  enqueue(tx, now, 'webhook_warning', {
    duckling_id: ducklingId,
    webhook_id: id,
    message_id: newId('message', now),
    change,
    url,
    // Sealed, so that only the service can sign with them.
    secret: Buffer.from(secret).toString('base64'),
    previous: previousSecret === null ? null : Buffer.from(previousSecret).toString('base64'),
    previous_until: previousSecretUntil?.toISOString() ?? null,
    at: now.toISOString(),
  })
}

/** Sends a warning, signed now. Throws when the receiver did not accept it and there are attempts left. */
export async function sendWarning(
  warning: OutboxPayloads['webhook_warning'],
  now: Date,
  attempt: number,
): Promise<void> {
  const { webhook_id, message_id, change, url, secret, previous, previous_until, at } = warning
  const signer = {
    id: webhook_id,
    secret: Buffer.from(secret, 'base64'),
    previousSecret: previous === null ? null : Buffer.from(previous, 'base64'),
    previousSecretUntil: previous_until === null ? null : new Date(previous_until),
  }
  const data = changedMessage.data.parse({ webhook_id, change })
  const message = { id: message_id, type: 'webhook.changed', createdAt: new Date(at), data }
  const { headers, body } = signMessage(signer, message, now)
  const { error } = await send(url, headers, body, timeoutMs)
  // After the last attempt the row is deleted: it has the address and the secret of an endpoint.
  if (error !== null && attempt <= warningRetrySeconds.length)
    throw new Error(`the receiver did not accept the warning: ${error}`)
}

/** Claims due warnings, one of each account at a time, so that receivers that do not answer hold the places of no other account. */
export function claimWarnings(free: number, _places: number, now: Date): Promise<ClaimedRow[]> {
  return db().rows<ClaimedRow>`
    WITH waiting AS (
      SELECT DISTINCT ON ("payload" ->> 'duckling_id') "id", "dueAt" FROM "Outbox" o
      WHERE "kind" = 'webhook_warning' AND "failedAt" IS NULL AND "dueAt" <= ${now}::timestamptz
        AND ("claimedUntil" IS NULL OR "claimedUntil" <= ${now}::timestamptz)
        AND NOT EXISTS (SELECT 1 FROM "Outbox" f WHERE f."kind" = 'webhook_warning' AND f."failedAt" IS NULL
          AND f."claimedUntil" > ${now}::timestamptz AND f."payload" ->> 'duckling_id' = o."payload" ->> 'duckling_id')
      ORDER BY "payload" ->> 'duckling_id', "dueAt", "id"
    ), due AS MATERIALIZED (
      SELECT o."id" FROM "Outbox" o JOIN waiting w ON w."id" = o."id"
      ORDER BY w."dueAt", w."id" LIMIT ${free} FOR UPDATE OF o SKIP LOCKED
    )
    UPDATE "Outbox" o SET "claimedUntil" = ${secondsAfter(now, claimSeconds)}::timestamptz, "attempts" = o."attempts" + 1
    FROM due WHERE o."id" = due."id"
    RETURNING o."id", o."kind", o."payload", o."attempts", o."claimedUntil"`
}
