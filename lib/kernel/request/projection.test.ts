import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { instant } from '@/lib/kernel/request/fields'
import { project, projectionOf } from './projection'

const time = new Date('2026-11-22T06:00:00.123Z')

describe('projectionOf', () => {
  it.each<[string, z.ZodType, unknown]>([
    [
      'texts, numbers and truth values',
      z.object({ a: z.string(), b: z.int(), c: z.boolean() }),
      { a: 'x', b: 1, c: false },
    ],
    [
      'null and missing fields',
      z.object({ a: z.string().nullable(), b: z.string().optional() }),
      { a: null },
    ],
    [
      'times',
      z.object({ at: instant, later: instant.nullable().meta({ description: 'Later.' }) }),
      { at: time, later: time },
    ],
    [
      'lists of objects',
      z.object({ items: z.array(z.object({ a: z.enum(['x']) })) }),
      { items: [{ a: 'x' }, { a: 'x' }] },
    ],
    [
      'literals',
      z.object({ type: z.literal('rule'), yes: z.literal(true).optional() }),
      { type: 'rule', yes: true },
    ],
    ['records', z.record(z.string(), z.unknown()), { any: { thing: [1] } }],
    ['unions', z.union([z.object({ a: z.string() }), z.object({ b: instant })]), { b: time }],
    [
      'the first of a union',
      z.union([z.object({ b: instant }), z.object({ a: z.string() })]),
      { b: time, a: 'x' },
    ],
    ['texts that the schema trims', z.object({ a: z.string().trim() }), { a: ' x ' }],
    ['defaults', z.object({ a: z.string().default('x') }), {}],
  ])('returns what the schema makes of %s', (_, schema, value) => {
    expect(projectionOf(schema)(value)).toEqual(schema.parse(value))
  })

  it('leaves out fields that the schema does not name, at any depth', () => {
    const schema = z.object({ items: z.array(z.object({ a: z.string() })) })
    const value = { items: [{ a: 'x', secretHash: 'leak' }], password: 'leak' }
    expect(projectionOf(schema)(value)).toEqual({ items: [{ a: 'x' }] })
  })

  it.each([
    ['a missing field', {}],
    ['null', { a: null }],
    ['a number', { a: 1 }],
    ['a list', { a: ['x'] }],
  ])('throws for %s where the schema has a text', (_, value) => {
    expect(() => projectionOf(z.object({ a: z.string() }))(value)).toThrow(z.ZodError)
  })

  it('throws for a number that JSON cannot write', () => {
    expect(() => projectionOf(z.object({ n: z.number() }))({ n: Number.NaN })).toThrow(z.ZodError)
  })

  it('throws for a value that is not in an enumeration', () => {
    expect(() => projectionOf(z.enum(['x']))('y')).toThrow(z.ZodError)
  })

  it('throws for an object with fields that a strict schema does not name', () => {
    expect(() => projectionOf(z.strictObject({ a: z.string() }))({ a: 'x', b: 1 })).toThrow(z.ZodError)
  })
})

describe('project', () => {
  it('names the field in its error', () => {
    const schema = z.object({ items: z.array(z.object({ tier: z.enum(['T0', 'T1']) })) })
    expect(() => project(schema, { items: [{ tier: 'T0' }, {}] })).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: ['items', 1, 'tier'] })] }),
    )
  })
})
