/** What a person says with a rejection besides the reason: what they would approve, or that something was unclear. */
import type { Problem } from '@/app/_web/problem'
import type { BodyOf } from '@/app/beak/_api/lines'
import { duration } from '@/lib/kernel/text/duration'

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

/** People write decimals with a comma, too. The API refuses an amount that can be read in two ways. */
const amountIn = (field: Field) => field('less_amount').replace(/^(\d+),(\d{1,2})$/, '$1.$2')

/** Returns the reason that the requester reads when the person wrote none. Empty without terms. */
export function termsReason(field: Field): string {
  if (field('quick') === 'unclear') return 'Something is unclear. Explain it and ask again.'
  if (field('quick') !== 'less') return ''
  const [amount, seconds] = [amountIn(field), field('less_seconds')]
  const parts = [
    amount === '' ? '' : `at most ${amount} ${field('less_currency')}`,
    field('less_once') === '' ? '' : 'once',
    seconds === '' ? '' : `for at most ${duration(Number(seconds))}`,
  ].filter(Boolean)
  return `I would approve less: ${parts.join(', ')}.`.slice(0, 280)
}

const formFields: Record<string, string> = {
  'would_approve.max_amount': 'less_amount',
  'would_approve.scope': 'less_once',
  'would_approve.grant_expires_in': 'less_seconds',
  would_approve: 'less_amount',
}

/** Shown when the person would approve less, and does not say what. */
export const missingTerms = 'Say what you would approve: a lower amount, one use or a shorter time.'

/** Puts the errors of the terms beside the fields of the form. */
export function withTermsErrors(problem: Problem): Problem {
  const errors = problem.errors?.map(({ field: name, message }) => {
    const known = Object.keys(formFields).find((start) => name === start || name.startsWith(`${start}.`))
    if (known === undefined) return { field: name, message }
    return { field: formFields[known] ?? name, message: name === 'would_approve' ? missingTerms : message }
  })
  return errors ? { ...problem, errors } : problem
}
