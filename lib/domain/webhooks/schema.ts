import { z } from 'zod'
import type { Prisma, WebhookEndpoint } from '@/lib/db/generated/client'
import { webhookKinds } from '@/lib/infrastructure/events/kinds'
import { m } from '@/lib/kernel/messages'
import { always, instant, text } from '@/lib/kernel/request/fields'
import { idSchema } from '@/lib/kernel/secrets/ids'
import { type Sent, sendErrors } from './send'

export const webhookId = idSchema('webhook')

/** `guard.ts` checks the host and the addresses. */
export const webhookUrl = z
  .string()
  .trim()
  .max(2048, { error: m.field_must_have_at_most_2048_characters })
  .regex(/^\S+$/, { error: m.field_must_be_a_url })
  .meta({ type: 'string', format: 'uri' })

const webhookKind = z.enum(webhookKinds)

/** The kinds of events that an endpoint receives. An empty list means all kinds. */
export const kindList = z.array(webhookKind).max(webhookKinds.length)

export const description = text(0, 280).nullable()

/**
 * Why an endpoint is disabled: by its owner, by a 410 answer, after 120 hours of failures, because a device only prepared it, or by the undo of
 * a change of address.
 */
const disabledReasons = ['owner', 'gone', 'failing', 'unconfirmed', 'email_restored'] as const
export type DisabledReason = (typeof disabledReasons)[number]

export const Webhook = z
  .object({
    webhook_id: z.string(),
    url: z.string(),
    kinds: z.array(z.string()),
    description: z.string().nullable(),
    enabled: z.boolean(),
    disabled_reason: z.enum(disabledReasons).nullable(),
    created_at: instant,
    secret_rotating_until: instant.nullable(),
  })
  .meta({ id: 'Webhook' })
export type WebhookInput = z.input<typeof Webhook>

/** An endpoint with its secret, as only create and rotate-secret return it. */
export const WebhookWithSecret = Webhook.extend({ secret: z.string() }).meta({ id: 'WebhookWithSecret' })

export function presentWebhook(row: WebhookEndpoint, now: Date): WebhookInput {
  const until = row.previousSecretUntil
  return {
    webhook_id: row.id,
    url: row.url,
    kinds: row.kinds,
    description: row.description,
    enabled: row.enabled,
    disabled_reason: row.disabledReason as DisabledReason | null,
    created_at: row.createdAt,
    secret_rotating_until: until !== null && until > now ? until : null,
  }
}

export const deliveryStatus = z.enum(['pending', 'delivered', 'failed'])
export type DeliveryStatus = z.output<typeof deliveryStatus>

export const Delivery = z
  .object({
    delivery_id: z.string(),
    webhook_id: z.string(),
    message_id: z.string(),
    type: z.string(),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The member `data` of the message. `timestamp` of the message is `created_at`.' }),
    status: deliveryStatus,
    created_at: instant,
    next_attempt_at: instant.nullable(),
    attempts: z.array(
      z.object({
        attempted_at: instant,
        status_code: z.int().nullable(),
        latency_ms: z.int(),
        error: z.enum(sendErrors).nullable(),
        response: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'WebhookDelivery' })
export type DeliveryInput = z.input<typeof Delivery>

/**
 * Names the delivery to send again.
 * Either the delivery's id, or the `webhook-id` that the receiver got. A message can go to several endpoints, so
 * `message_id` may need `webhook_id` too.
 */
export const deliveryName = z
  .strictObject({
    delivery_id: idSchema('delivery').optional(),
    message_id: idSchema('message').optional(),
    webhook_id: webhookId.optional(),
  })
  .refine((body) => body.delivery_id !== undefined || body.message_id !== undefined, {
    path: ['delivery_id'],
    message: 'or message_id is required',
    when: always,
  })
export type DeliveryName = z.output<typeof deliveryName>

export const TestResult = z
  .object({
    success: z.boolean(),
    message_id: z.string(),
    status_code: z.int().nullable(),
    latency_ms: z.int(),
    response: z.string().nullable(),
    error: z.enum(sendErrors).nullable(),
  })
  .meta({ id: 'WebhookTest' })

export function presentTest({
  messageId,
  sent,
}: {
  messageId: string
  sent: Sent
}): z.input<typeof TestResult> {
  return {
    success: sent.error === null,
    message_id: messageId,
    status_code: sent.statusCode,
    latency_ms: sent.latencyMs,
    response: sent.response,
    error: sent.error,
  }
}

/** Includes the newest 20 attempts. Each redelivery allows eight more attempts, so a delivery can have many. */
export const withAttempts = {
  message: { select: { type: true, data: true } },
  endpoint: { select: { pausedUntil: true } },
  attempts: { orderBy: { id: 'desc' }, take: 20 },
} satisfies Prisma.WebhookDeliveryInclude

type DeliveryWithAttempts = Prisma.WebhookDeliveryGetPayload<{ include: typeof withAttempts }>

/** The part of it that lists show. */
export interface ListedDelivery
  extends Pick<
    DeliveryWithAttempts,
    'id' | 'endpointId' | 'messageId' | 'status' | 'createdAt' | 'nextAttemptAt' | 'message' | 'endpoint'
  > {
  attempts: Pick<
    DeliveryWithAttempts['attempts'][number],
    'attemptedAt' | 'statusCode' | 'latencyMs' | 'error' | 'response'
  >[]
}

/** Returns when the next attempt is due, or the end of the endpoint's pause when the pause ends later. */
function nextAttemptAt({ nextAttemptAt: dueAt, endpoint: { pausedUntil } }: ListedDelivery): Date | null {
  return dueAt !== null && pausedUntil !== null && pausedUntil > dueAt ? pausedUntil : dueAt
}

export function presentDelivery(row: ListedDelivery): DeliveryInput {
  return {
    delivery_id: row.id,
    webhook_id: row.endpointId,
    message_id: row.messageId,
    type: row.message.type,
    data: row.message.data as Record<string, unknown>,
    status: row.status,
    created_at: row.createdAt,
    next_attempt_at: nextAttemptAt(row),
    attempts: row.attempts.toReversed().map((attempt) => ({
      attempted_at: attempt.attemptedAt,
      status_code: attempt.statusCode,
      latency_ms: attempt.latencyMs,
      error: attempt.error as (typeof sendErrors)[number] | null,
      response: attempt.response,
    })),
  }
}
