/** Validates input against its schema and names each invalid field (contract A). */
import { guessName } from '@beak/client/guess'
import type { z } from 'zod'
import { type FieldError, fail } from '@/lib/kernel/failures'
import { hasReader } from '@/lib/kernel/language'
import { m } from '@/lib/kernel/messages'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { issueText } from './issue-text'

/** Limits the size of the answer. */
const errorsMax = 20

/** Returns the parsed value. Throws `invalid_request` with a message for each invalid field. */
export function parse<T extends z.ZodType>(
  schema: T,
  value: unknown,
  kind: 'field' | 'parameter',
): z.output<T> {
  const isForPerson = hasReader()
  const error = (issue: z.core.$ZodRawIssue) =>
    issueText(issue) ?? (isForPerson ? m.field_has_wrong_form() : undefined)
  const result = schema.safeParse(value, { error })
  if (result.success) return result.data
  const errors: FieldError[] = []
  for (const issue of result.error.issues) {
    const field = issue.path.map(String).join('.')
    if (issue.code !== 'unrecognized_keys')
      errors.push({
        field: field === '' ? 'body' : field,
        message: issue.message.replace(/^Invalid input: /, ''),
      })
    else
      for (const key of issue.keys.slice(0, errorsMax))
        errors.push(
          field === ''
            ? { field: key, message: unknownText(key, kind, schema) }
            : { field: `${field}.${key}`, message: `is not a known ${kind}` },
        )
    if (errors.length >= errorsMax) break
  }
  throw fail('invalid_request', { errors: errors.slice(0, errorsMax) })
}

/** Returns what is wrong with a name that the schema does not have, with the name that was probably meant, or else with all names. */
function unknownText(name: string, kind: string, schema: z.ZodType): string {
  const text = `is not a known ${kind}`
  const known = 'shape' in schema ? Object.keys(schema.shape as object) : []
  const guess = guessName(name, known)
  if (guess !== null) return `${text}; did you mean ${guess}?`
  return known.length === 0 ? text : `${text}; known ${kind}s: ${listWithAnd(known)}`
}
