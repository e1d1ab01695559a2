import { describe, expect, it } from 'vitest'
import { breakingChanges, type Document, type JsonSchema } from './breaking-changes'

const text = { type: 'string' }

/** A document with one operation. */
const released: Document = {
  paths: {
    '/beak/peck/request': {
      post: {
        operationId: 'requestPeck',
        security: [{ session: [] }, { beakKey: [] }],
        parameters: [
          { name: 'wait', in: 'query', schema: { ...text, maxLength: 3 } },
          { $ref: '#/components/parameters/IdempotencyKey' },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  action: { ...text, maxLength: 64 },
                  scope: { ...text, enum: ['limited', 'timed'] },
                },
                required: ['action'],
              },
            },
          },
        },
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Peck' } } } },
        },
      },
    },
  },
  components: {
    parameters: { IdempotencyKey: { name: 'Idempotency-Key', in: 'header', schema: text } },
    schemas: {
      Peck: {
        type: 'object',
        properties: {
          peck_id: text,
          status: { ...text, enum: ['pending'] },
          earlier: { type: 'array', items: { $ref: '#/components/schemas/Peck' } },
        },
        required: ['peck_id', 'status'],
      },
    },
  },
}

const operationOf = (document: Document) => {
  const operation = document.paths['/beak/peck/request']?.post
  if (!operation) throw new Error('the document has no operation')
  return operation
}
const bodyOf = (document: Document) =>
  operationOf(document).requestBody?.content?.['application/json']?.schema as Required<JsonSchema>
const peckOf = (document: Document) => document.components.schemas.Peck as Required<JsonSchema>

const breaking: [string, (document: Document) => void, string][] = [
  [
    'a path is removed',
    (document) => void delete document.paths['/beak/peck/request'],
    'POST /beak/peck/request is gone',
  ],
  [
    'an operation gets another name',
    (document) => void Object.assign(operationOf(document), { operationId: 'ask' }),
    'POST /beak/peck/request was requestPeck and is now ask',
  ],
  [
    'a credential is no longer accepted',
    (document) => void operationOf(document).security.pop(),
    'POST /beak/peck/request no longer accepts beakKey',
  ],
  [
    'a field of the body becomes required',
    (document) => void bodyOf(document).required.push('scope'),
    'POST /beak/peck/request body.scope is now required',
  ],
  [
    'a field of the body is removed',
    (document) => void delete bodyOf(document).properties.scope,
    'POST /beak/peck/request body.scope is gone',
  ],
  [
    'a value of the body is refused',
    (document) => void Object.assign(bodyOf(document).properties.scope as object, { enum: ['limited'] }),
    'POST /beak/peck/request body.scope no longer accepts timed',
  ],
  [
    'a text of the body must be shorter',
    (document) => void Object.assign(bodyOf(document).properties.action as object, { maxLength: 32 }),
    'POST /beak/peck/request body.action has another maxLength',
  ],
  [
    'a parameter becomes required',
    (document) => void Object.assign(operationOf(document).parameters?.[0] as object, { required: true }),
    'POST /beak/peck/request query wait is now required',
  ],
  [
    'a parameter that several operations share is removed from one',
    (document) => void operationOf(document).parameters?.pop(),
    'POST /beak/peck/request header Idempotency-Key is gone',
  ],
  [
    'a field of the answer is removed',
    (document) => void delete peckOf(document).properties.status,
    'POST /beak/peck/request answer.status is gone',
  ],
  [
    'a field of the answer may be missing',
    (document) => void peckOf(document).required.pop(),
    'POST /beak/peck/request answer.status is no longer always there',
  ],
  [
    'a field of the answer may be null',
    (document) =>
      void Object.assign(peckOf(document).properties.peck_id as object, { type: ['string', 'null'] }),
    'POST /beak/peck/request answer.peck_id changed its type',
  ],
]

const harmless: [string, (document: Document) => void][] = [
  ['nothing', () => undefined],
  [
    'a new operation',
    (document) => void Object.assign(document.paths, { '/beak/new': { get: operationOf(document) } }),
  ],
  [
    'a new optional field of the body',
    (document) => void Object.assign(bodyOf(document).properties, { note: text }),
  ],
  [
    'a longer text in the body',
    (document) => void Object.assign(bodyOf(document).properties.action as object, { maxLength: 99 }),
  ],
  [
    'a new field of the answer',
    (document) => void Object.assign(peckOf(document).properties, { risk: text }),
  ],
  [
    'a new value in the answer',
    (document) =>
      void Object.assign(peckOf(document).properties.status as object, { enum: ['pending', 'held'] }),
  ],
]

describe('a client breaks when', () => {
  it.each(breaking)('%s', (_, edit, change) => {
    const after = structuredClone(released)
    edit(after)
    expect(breakingChanges(released, after)).toEqual([change])
  })
})

describe('no client breaks with', () => {
  it.each(harmless)('%s', (_, edit) => {
    const after = structuredClone(released)
    edit(after)
    expect(breakingChanges(released, after)).toEqual([])
  })
})
