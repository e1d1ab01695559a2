/** The generated files of the TypeScript client fit the API reference and the comments. `npm run clients:generate` writes them. */
import { readdirSync, readFileSync } from 'node:fs'
import { Beak, version } from '@beak/client'
import { describe, expect, it } from 'vitest'
import clientManifest from '@/clients/typescript/package.json'
import manifest from '@/package.json'
import { type Operation, readReference } from './document'
import { generateTypescript, typescriptFolder } from './typescript'
import { typescriptDocs } from './typescript-docs'

const reference = readReference()
const written = (folder: string) =>
  new Map(
    readdirSync(folder, { recursive: true })
      .map(String)
      .filter((name) => /\.\w+$/.test(name))
      .sort()
      .map((name) => [`${folder}/${name}`, readFileSync(`${folder}/${name}`, 'utf8')]),
  )

describe('the TypeScript client', () => {
  it('is generated from the present API reference', () => {
    const generated = generateTypescript(reference)
    expect([...written(typescriptFolder).keys()]).toEqual([...generated.keys()].sort())
    for (const [path, text] of written(typescriptFolder)) expect(generated.get(path), path).toBe(text)
  })

  it('has a method for every operation', () => {
    expect(reference.operations.length).toBeGreaterThan(80)
    const missing = reference.operations.map(({ name }) => name).filter((name) => !(name in Beak.prototype))
    expect(missing).toEqual([])
  })

  it('has the version of the API', () => {
    expect([version, clientManifest.version]).toEqual([manifest.version, manifest.version])
  })

  it('has a reference that is written from its comments', () => {
    const docs = typescriptDocs()
    expect([...written('clients/typescript/docs').keys()]).toEqual([...docs.keys()].sort())
    for (const [path, text] of written('clients/typescript/docs')) expect(docs.get(path), path).toBe(text)
  }, 60_000)
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
      schemas: { Duck: { type: 'object', properties: { fed: { type: 'boolean' } }, required: ['fed'] } },
      operations: [{ ...operation, ...change }],
    })
  const fileOf = (name: string, change: Partial<Operation> = {}) =>
    generate(change).get(`${typescriptFolder}/${name}.ts`) ?? ''

  it('notes that an operation accepts an idempotency key, which is no field of the input', () => {
    expect(fileOf('operations')).toContain('acceptsIdempotencyKey: true')
    expect(fileOf('types')).not.toMatch(/idempotency_key/i)
    expect(fileOf('operations', { parameters: [] })).not.toContain('acceptsIdempotencyKey: true')
  })

  it('marks a deprecated operation', () => {
    expect(fileOf('methods')).not.toContain('@deprecated')
    expect(fileOf('methods', { deprecated: true })).toContain('@deprecated')
  })

  it('makes the input optional when all its fields are', () => {
    expect(fileOf('methods')).toContain('feedDuck(input: FeedDuckInput, options')
    const body = { type: 'object', properties: { grams: { type: 'integer' } } }
    expect(fileOf('methods', { body })).toContain('feedDuck(input: FeedDuckInput = {}, options')
    expect(fileOf('methods', { body: null })).toContain('feedDuck(options?: CallOptions)')
  })

  it('keeps a comment closed whose text has the end of a comment', () => {
    expect(fileOf('methods', { summary: 'Feed */ a duck' })).toContain('Feed *\\/ a duck')
  })
})
