/** Validates input against its schema and names each invalid field (contract A). */
import type { z } from 'zod'
import { type FieldError, fail } from '@/lib/kernel/failures'
import { hasReader } from '@/lib/kernel/language'
import { m } from '@/lib/kernel/messages'
import { issueText } from './issue-text'

/** Limits the size of the answer. */
const errorsMax = 20

/** Returns the parsed value. Throws `invalid_request` with a message for each invalid field. */
export function parse<T extends z.ZodType>(schema: T, value: unknown, unknownMessage: string): z.output<T> {
  const result = schema.safeParse(value, hasReader() ? { error: issueText } : undefined)
  if (result.success) return result.data
  const errors = result.error.issues.flatMap((issue) => fieldErrorsOf(issue, unknownMessage))
  throw fail('invalid_request', { errors: errors.slice(0, errorsMax) })
}

function fieldErrorsOf(issue: z.core.$ZodIssue, unknownMessage: string): FieldError[] {
  const field = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: field === '' ? key : `${field}.${key}`,
      message: unknownMessage,
    }))
  }
  const message = issue.message.endsWith('received undefined')
    ? m.field_is_required()
    : issue.message.replace(/^Invalid input: /, '')
  return [{ field: field === '' ? 'body' : field, message }]
}
