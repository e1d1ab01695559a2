import { z } from 'zod'
import type { Prisma, WebhookEndpoint } from '@/lib/db/generated/client'
import { webhookKinds } from '@/lib/infrastructure/events/kinds'
import { always, instant, text } from '@/lib/kernel/fields'
import { idSchema } from '@/lib/kernel/ids'
import { type Sent, sendErrors } from './send'

export const webhookId = idSchema('webhook')

/** Where it leads is judged by `guard.ts`. */
export const webhookUrl = z
  .string()
  .trim()
  .max(2048, 'must have at most 2048 characters')
  .regex(/^\S+$/, 'must be a URL')
  .meta({ type: 'string', format: 'uri' })

const webhookKind = z.enum(webhookKinds)

/** The kinds an endpoint wants; none means all of them. */
export const kindList = z.array(webhookKind).max(webhookKinds.length)

export const description = text(0, 280).nullable()

/** Why an endpoint is off: its owner's doing, a 410 answer, or 120 hours of failure. */
const disabledReasons = ['owner', 'gone', 'failing'] as const
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

/** An endpoint with its secret: only the answers that make one have this shape. */
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
 * Which delivery to send again.
 * Spec silent: by its own id, or by the `webhook-id` a receiver has seen. One message goes to all of a duckling's endpoints,
 * so that id may need the endpoint's beside it.
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

/** With the newest attempts: a delivery has eight, and as many again for each time it was sent anew. */
export const withAttempts = {
  message: { select: { type: true } },
  endpoint: { select: { pausedUntil: true } },
  attempts: { orderBy: { id: 'desc' }, take: 20 },
} satisfies Prisma.WebhookDeliveryInclude

export type DeliveryWithAttempts = Prisma.WebhookDeliveryGetPayload<{ include: typeof withAttempts }>

/** When the next attempt is due, or the end of the endpoint's pause where that is later. */
function nextAttemptAt({
  nextAttemptAt: dueAt,
  endpoint: { pausedUntil },
}: DeliveryWithAttempts): Date | null {
  return dueAt !== null && pausedUntil !== null && pausedUntil > dueAt ? pausedUntil : dueAt
}

export function presentDelivery(row: DeliveryWithAttempts): DeliveryInput {
  return {
    delivery_id: row.id,
    webhook_id: row.endpointId,
    message_id: row.messageId,
    type: row.message.type,
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
