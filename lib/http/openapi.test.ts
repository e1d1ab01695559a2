import { expect, it } from 'vitest'
import { webhookKinds, webhookMessages } from '@/lib/infrastructure/events/kinds'
import { exampleMessage, webhooks } from './openapi'

it('describes the data of each kind with its schema, and has one example of each', () => {
  const schemas: Record<string, unknown> = {}
  const described = webhooks(schemas)
  expect(Object.keys(described)).toEqual(webhookKinds)
  for (const kind of webhookKinds) {
    const name = webhookMessages[kind].data.meta()?.id ?? ''
    const example = exampleMessage(kind)
    expect(described[kind], kind).toMatchObject({
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                required: ['type', 'timestamp', 'data'],
                properties: { type: { const: kind }, data: { $ref: `#/components/schemas/${name}` } },
              },
              example: JSON.parse(JSON.stringify(example)),
            },
          },
        },
      },
    })
    const { properties = {}, required = [] } = schemas[name] as { properties: object; required: string[] }
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(example.data as object)))
    expect(Object.keys(example.data as object)).toEqual(expect.arrayContaining(required))
  }
})
