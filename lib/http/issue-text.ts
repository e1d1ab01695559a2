import type { z } from 'zod'
import { m } from '@/lib/kernel/messages'

/**
 * Returns a sentence of the table for a rule of zod that has no text of its own, for pages. The API answers programs with the text of zod, which
 * is part of its answers since the first version.
 */
export function issueText(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? m.field_is_required()
        : m.field_must_be_of_type({ type: issue.expected })
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_value':
      return m.field_must_be_one_of({ values: issue.values.map(String).join(', ') })
    default:
      return m.field_has_wrong_form()
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
