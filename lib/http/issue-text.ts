import type { z } from 'zod'
import { m } from '@/lib/kernel/messages'

/**
 * Returns a sentence of the table for a rule of zod that has no text of its own, or undefined for a rule without a sentence. Programs then get
 * the text of zod, which says more about the form than a page needs.
 */
export function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return m.field_is_required()
  switch (issue.code) {
    case 'invalid_type':
      return m.field_must_be_of_type({ type: issue.expected })
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_value':
      return m.field_must_be_one_of({ values: issue.values.map(String).join(', ') })
    default:
      return undefined
  }
}

function tooSmall({
  origin,
  minimum,
  inclusive = true,
}: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  const least = Number(minimum)
  if (origin === 'string') return m.field_must_have_at_least_characters({ count: least })
  if (origin === 'array' || origin === 'set') return m.field_must_have_at_least_entries({ count: least })
  return inclusive ? m.field_must_be_at_least_number({ least }) : m.field_must_be_more_than_number({ least })
}

function tooBig({ origin, maximum, inclusive = true }: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  const most = Number(maximum)
  if (origin === 'string') return m.field_must_have_at_most_characters({ count: most })
  if (origin === 'array' || origin === 'set') return m.field_must_have_at_most_entries({ count: most })
  return inclusive ? m.field_must_be_at_most_number({ most }) : m.field_must_be_less_than_number({ most })
}
