/** The messages that webhooks get (contract C, Webhooks), for the API reference. */
import { type WebhookKind, webhookKinds, webhookMessages } from '@/lib/infrastructure/events/kinds'
import { exampleDecision } from '@/lib/infrastructure/events/kinds/examples'
import { convertAnswer, type Json } from './openapi-schemas'

/** Returns an example of a whole message, as it is sent. */
export function exampleMessage(kind: WebhookKind): { type: WebhookKind; timestamp: string; data: unknown } {
  const { data, example } = webhookMessages[kind]
  return { type: kind, timestamp: exampleDecision.toISOString(), data: data.parse(example) }
}

function messageSchema(kind: WebhookKind, schemas: Json): Json {
  return {
    type: 'object',
    description:
      'A signed message (Standard Webhooks). The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` belong to it.',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: kind },
      timestamp: { type: 'string', format: 'date-time' },
      data: convertAnswer(webhookMessages[kind].data, schemas),
      test: {
        type: 'boolean',
        const: true,
        description: 'Only in messages of a test service (`beak dev`), which prove nothing.',
      },
    },
  }
}

/** Returns the operations of all kinds, and adds the schemas of their data to the components. */
export function webhooks(schemas: Json): Json {
  const message = (kind: WebhookKind): Json => ({
    post: {
      operationId: kind.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: ['webhooks'],
      summary: webhookMessages[kind].when(),
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: messageSchema(kind, schemas), example: exampleMessage(kind) },
        },
      },
      responses: { '2XX': { $ref: '#/components/responses/Received' } },
    },
  })
  return Object.fromEntries(webhookKinds.map((kind) => [kind, message(kind)]))
}
