import { expect, it } from 'vitest'
import { z } from 'zod'
import { inLanguage } from '@/lib/kernel/text/language-scope'
import { parse } from './parse'

const schema = z.strictObject({
  text: z.string().min(2).max(4).optional(),
  count: z.int().gte(1).lte(5).optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
  choice: z.enum(['red', 'blue']).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  needed: z.enum(['yes', 'no']),
  email: z.email().optional(),
  own: z
    .string()
    .refine(() => false, 'has a text of its own')
    .optional(),
})

function errorOf(value: object): unknown {
  try {
    return parse(schema, { needed: 'yes', ...value }, 'field')
  } catch (error) {
    const { errors } = (error as { extras: { errors: { message: string }[] } }).extras
    return errors[0]?.message
  }
}

it.each([
  [{ text: 'x' }, 'must have at least 2 characters'],
  [{ text: 'xxxxx' }, 'must have at most 4 characters'],
  [{ text: 5 }, 'must be text'],
  [{ count: 0 }, 'must be at least 1'],
  [{ count: 6 }, 'must be at most 5'],
  [{ count: 1.5 }, 'must be a whole number'],
  [{ list: [] }, 'must have at least 1 entry'],
  [{ list: ['a', 'b', 'c'] }, 'must have at most 2 entries'],
  [{ list: {} }, 'must be a list'],
  [{ params: [] }, 'must be an object'],
  [{ choice: 'green' }, 'must be one of: red, blue'],
  [{ needed: undefined }, 'is required'],
  [{ own: '' }, 'has a text of its own'],
  [{ lisst: [] }, 'is not a known field; did you mean list?'],
  [
    { colour: 'teal' },
    'is not a known field; known fields: text, count, list, choice, params, needed, email and own',
  ],
])('says of %j to people and to programs: "%s"', (value, text) => {
  expect(inLanguage('en', () => errorOf(value))).toBe(text)
  expect(errorOf(value)).toBe(text)
})

it('says more about a wrong form to programs than to people', () => {
  expect(inLanguage('en', () => errorOf({ email: 'x' }))).toBe('has the wrong form')
  expect(errorOf({ email: 'x' })).toBe('Invalid email address')
})

it('answers a flood of unknown and very long names at once, with the first 20', () => {
  const flood = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => ['x'.repeat(5000) + index, 1]))
  const started = performance.now()
  expect(() => parse(schema, flood, 'field')).toThrow()
  expect(performance.now() - started).toBeLessThan(5000)
})
