/** The generated files of the Python client fit the API reference. `npm run clients:generate` writes them. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import manifest from '@/package.json'
import { type Operation, readReference, type Schema } from './document'
import { generatePython, pythonFolder } from './python'
import { Models } from './python/models'
import { snakeCase } from './python/names'
import { toSynchronous } from './python/synchronous'

const reference = readReference()

describe('the Python client', () => {
  it('is generated from the present API reference and from its asynchronous half', () => {
    for (const [path, text] of generatePython(reference))
      expect(readFileSync(path, 'utf8') === text, `${path}: run npm run clients:generate`).toBe(true)
  })

  it('has a method for every operation in both halves, and the version of the API', () => {
    const text = (name: string) => readFileSync(`${pythonFolder}/${name}.py`, 'utf8')
    expect(reference.operations.length).toBeGreaterThan(80)
    for (const { name } of reference.operations) {
      expect(text('_async_methods')).toMatch(new RegExp(`def ${snakeCase(name)}\\(`))
      expect(text('_methods')).toMatch(new RegExp(`    def ${snakeCase(name)}\\(`))
    }
    expect(text('_version')).toContain(`VERSION = "${manifest.version}"`)
    expect(text('_methods')).not.toMatch(/\basync\b|\bawait\b/)
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
  const duck: Schema = { type: 'object', properties: { fed: { type: 'boolean' } }, required: ['fed'] }
  const fileOf = (name: string, change: Partial<Operation> = {}) =>
    generatePython({ schemas: { Duck: duck }, operations: [{ ...operation, ...change }] }).get(
      `${pythonFolder}/${name}.py`,
    ) ?? ''

  it('notes that an operation takes an idempotency key, which is an option of the method', () => {
    expect(fileOf('_operations')).toContain('takes_idempotency_key=True')
    expect(fileOf('_methods')).toContain(
      '        idempotency_key: Optional[str] = None,\n    ) -> models.Duck:',
    )
    const without = fileOf('_methods', { parameters: [] })
    expect(without.slice(without.indexOf('def feed_duck'))).not.toContain('idempotency_key')
  })

  it('warns of a deprecated operation', () => {
    const text = fileOf('_methods', { deprecated: true })
    expect(text).toContain('warnings.warn("feed_duck is deprecated.", DeprecationWarning')
    expect(text).toContain('import warnings')
    expect(fileOf('_methods')).not.toContain('warnings')
  })

  it('distinguishes null from nothing only where null has a meaning', () => {
    const body = {
      type: 'object',
      properties: { note: { anyOf: [{ type: 'string' }, { type: 'null' }] }, grams: { type: 'integer' } },
    }
    expect(fileOf('_methods', { body })).toContain('note: Union[Optional[str], Unset] = UNSET,')
    expect(fileOf('_methods', { body })).toContain('grams: Optional[int] = None,')
    expect(fileOf('_operations', { body })).toContain('nullable=("note",),')
  })

  it('iterates over the pages of a list', () => {
    const list: Partial<Operation> = {
      name: 'listDucks',
      method: 'GET',
      parameters: [{ name: 'cursor', in: 'query', schema: { type: 'string' } }],
      body: null,
      answer: {
        type: 'object',
        properties: {
          items: { type: 'array', items: { $ref: '#/components/schemas/Duck' } },
          next_cursor: { type: ['string', 'null'] },
        },
        required: ['items', 'next_cursor'],
      },
    }
    expect(fileOf('_async_methods', list)).toContain('-> AsyncIterator[models.Duck]:')
    expect(() => fileOf('_methods', { ...list, name: 'ducks' })).toThrow('must begin with list')
  })

  it('fails for a field that cannot be an argument', () => {
    for (const name of ['from', 'timeout']) {
      const body = { type: 'object', properties: { [name]: { type: 'string' } } }
      expect(() => fileOf('_methods', { body })).toThrow('cannot be an argument')
    }
  })

  it('writes a type with a member that is a keyword as a call, and refuses two types of one name', () => {
    const stolen: Schema = { type: 'object', properties: { from: { type: 'string' } }, required: ['from'] }
    expect(new Models({ Stolen: stolen }).source()).toContain(
      'Stolen = TypedDict(\n    "Stolen",\n    {\n        "from": str,',
    )
    const models = new Models({ Duck: duck })
    expect(() => models.answerType(stolen, 'Duck')).toThrow('Two types would be called Duck')
  })
})

describe('toSynchronous', () => {
  it('translates keywords, names and calls, and nothing in between', () => {
    const source = `"""An example."""
import asyncio
class AsyncBeak(AsyncMethods):
    async def __aenter__(self) -> "AsyncBeak":
        await asyncio.sleep(1)
        async for _ in self.all():
            await self.aclose()
            awaited = http = httpx.AsyncClient()
`
    expect(toSynchronous(source, 'Translated.')).toBe(`# Translated.
"""An example."""
import time
class Beak(Methods):
    def __enter__(self) -> "Beak":
        time.sleep(1)
        for _ in self.all():
            self.close()
            awaited = http = httpx.Client()
`)
  })
})
