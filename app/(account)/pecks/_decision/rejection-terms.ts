/** What a person says with a rejection besides the reason: what they would approve, or that something was unclear. */

import type { Problem } from '@/app/_web/problem'
import type { BodyOf } from '@/app/beak/_api/lines'
import { m } from '@/lib/kernel/messages'
import { durationWords } from '@/lib/kernel/text/duration-words'
import { readDecimal } from '@/lib/kernel/typed/decimal'

type Terms = Pick<BodyOf<'POST /beak/peck/reject'>, 'would_approve' | 'unclear'>
/** Returns the text of a field of the form. */
type Field = (name: string) => string

/** The fields of a rejection. A form without a choice, or with a request that has no amount, lacks some of them. */
export const rejectionFields = [
  'reason',
  'quick',
  'less_amount',
  'less_currency',
  'less_seconds',
  'less_once',
  'block',
]

/** Returns the terms of the form, for the API. */
export function rejectionTerms(field: Field): Terms {
  if (field('quick') === 'unclear') return { unclear: true }
  if (field('quick') !== 'less') return {}
  const [amount, seconds] = [amountIn(field), field('less_seconds')]
  return {
    would_approve: {
      ...(amount === '' ? {} : { max_amount: { amount, currency: field('less_currency') } }),
      ...(field('less_once') === '' ? {} : { scope: 'limited' as const }),
      ...(seconds === '' ? {} : { grant_expires_in: Number(seconds) }),
    },
  }
}

/** The sentence has the amount as it is sent. The API refuses an amount that can be read in two ways. */
const amountIn = (field: Field) => readDecimal(field('less_amount'))

/** Returns the reason that the requester reads when the person wrote none. Empty without terms. */
export function termsReason(field: Field): string {
  if (field('quick') === 'unclear') return m.decision_reject_unclear_told()
  if (field('quick') !== 'less') return ''
  const [amount, seconds] = [amountIn(field), field('less_seconds')]
  const parts = [
    amount === '' ? '' : m.decision_at_most_amount({ amount, currency: field('less_currency') }),
    field('less_once') === '' ? '' : m.decision_only_once(),
    seconds === '' ? '' : m.decision_for_at_most_duration({ duration: durationWords(Number(seconds)) }),
  ].filter(Boolean)
  return m.decision_i_would_approve_less_parts({ parts: parts.join(', ') }).slice(0, 280)
}

const formFields: Record<string, string> = {
  'would_approve.max_amount': 'less_amount',
  'would_approve.scope': 'less_once',
  'would_approve.grant_expires_in': 'less_seconds',
  would_approve: 'less_amount',
}

/** Puts the errors of the terms beside the fields of the form. */
export function withTermsErrors(problem: Problem): Problem {
  const errors = problem.errors?.map(({ field: name, message }) => {
    const known = Object.keys(formFields).find((start) => name === start || name.startsWith(`${start}.`))
    if (known === undefined) return { field: name, message }
    return {
      field: formFields[known] ?? name,
      message: name === 'would_approve' ? m.decision_counter_offer_missing() : message,
    }
  })
  return errors ? { ...problem, errors } : problem
}
