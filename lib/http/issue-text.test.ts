import { expect, it } from 'vitest'
import { z } from 'zod'
import { inLanguage } from '@/lib/kernel/language-scope'
import { parse } from './parse'

const schema = z.strictObject({
  text: z.string().min(2).max(4).optional(),
  count: z.int().gte(1).lte(5).optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
  choice: z.enum(['red', 'blue']).optional(),
  email: z.email().optional(),
  own: z
    .string()
    .refine(() => false, 'has a text of its own')
    .optional(),
})

function errorOf(value: unknown): unknown {
  try {
    return parse(schema, value, 'is not a known field')
  } catch (error) {
    const { errors } = (error as { extras: { errors: { message: string }[] } }).extras
    return errors[0]?.message
  }
}

it.each([
  [{ text: 'x' }, 'must have at least 2 characters', 'Too small: expected string to have >=2 characters'],
  [{ text: 'xxxxx' }, 'must have at most 4 characters', 'Too big: expected string to have <=4 characters'],
  [{ text: 5 }, 'must be text', 'expected string, received number'],
  [{ count: 0 }, 'must be at least 1', 'Too small: expected number to be >=1'],
  [{ count: 6 }, 'must be at most 5', 'Too big: expected number to be <=5'],
  [{ count: 1.5 }, 'must be a whole number', 'expected int, received number'],
  [{ list: [] }, 'must have at least 1 entry', 'Too small: expected array to have >=1 items'],
  [{ list: ['a', 'b', 'c'] }, 'must have at most 2 entries', 'Too big: expected array to have <=2 items'],
  [{ choice: 'green' }, 'must be one of: red, blue', 'Invalid option: expected one of "red"|"blue"'],
  [{ email: 'x' }, 'has the wrong form', 'Invalid email address'],
  [{ own: '' }, 'has a text of its own', 'has a text of its own'],
])('shows %j to people as "%s", and answers programs with the text of zod', (value, shown, answered) => {
  expect(inLanguage('en', () => errorOf(value))).toBe(shown)
  expect(errorOf(value)).toBe(answered)
})
