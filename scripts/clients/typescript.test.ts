/** The generated files of the TypeScript client fit the API reference. */
import { Beak, version } from '@beak/client'
import { describe, expect, it } from 'vitest'
import manifest from '@/package.json'
import clientManifest from '@/packages/client/package.json'
import { readReference } from './document'
import type { Operation } from './reference'
import { generateTypescript, typescriptFolder } from './typescript'

const reference = readReference()
describe('the TypeScript client', () => {
  it('has a method for every operation', () => {
    expect(reference.operations.length).toBeGreaterThan(80)
    const missing = reference.operations.map(({ name }) => name).filter((name) => !(name in Beak.prototype))
    expect(missing).toEqual([])
  })

  it('has the version of the API', () => {
    expect([version, clientManifest.version]).toEqual([manifest.version, manifest.version])
  })
})

describe('the generator', () => {
  const operation: Operation = {
    name: 'feedDuck',
    method: 'POST',
    path: '/beak/feed',
    summary: 'Feed a duck',
    description: '',
    deprecated: false,
    credentials: ['session', 'key'],
    parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
    body: { type: 'object', properties: { grams: { type: 'integer' } }, required: ['grams'] },
    media: 'application/json',
    answer: { $ref: '#/components/schemas/Duck' },
  }
  const generate = (change: Partial<Operation>) =>
    generateTypescript({
      version: '1.2.3',
      schemas: { Duck: { type: 'object', properties: { fed: { type: 'boolean' } }, required: ['fed'] } },
      operations: [{ ...operation, ...change }],
      webhooks: [{ kind: 'duck.fed', summary: 'A duck was fed', data: 'Duck' }],
    })
  const fileOf = (name: string, change: Partial<Operation> = {}) =>
    generate(change).get(`${typescriptFolder}/${name}.ts`) ?? ''

  it('notes that an operation accepts an idempotency key, which is no field of the input', () => {
    expect(fileOf('operations')).toContain('"acceptsIdempotencyKey":true')
    expect(fileOf('types')).not.toMatch(/idempotency_key/i)
    expect(fileOf('operations', { parameters: [] })).not.toContain('"acceptsIdempotencyKey":true')
  })

  it('has the type of the data of each kind of webhook', () => {
    const text = fileOf('webhooks')
    expect(text).toContain("import type { Duck } from './schemas'")
    expect(text).toContain("/** A duck was fed. */\n'duck.fed': Duck\n")
    expect(text).toContain("webhookKinds: (keyof WebhookData)[] = ['duck.fed']")
  })

  it('marks a deprecated operation', () => {
    expect(fileOf('methods')).not.toContain('@deprecated')
    expect(fileOf('methods', { deprecated: true })).toContain('@deprecated')
  })

  it('makes the input optional when all its fields are', () => {
    expect(fileOf('methods')).toContain('feedDuck(input: FeedDuckInput, options')
    const body = { type: 'object', properties: { grams: { type: 'integer' } } }
    expect(fileOf('methods', { body })).toContain('feedDuck(input: FeedDuckInput = {}, options')
    expect(fileOf('methods', { body: undefined })).toContain('feedDuck(options?: CallOptions)')
  })

  it('keeps a comment closed whose text has the end of a comment', () => {
    expect(fileOf('methods', { summary: 'Feed */ a duck' })).toContain('Feed *\\/ a duck')
  })
})
