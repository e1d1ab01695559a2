import { hiddenCharacter } from '@beak/decision/visible'
import { fieldProblem, type Problem } from '@/app/_web/problem'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { readDecimal } from '@/lib/kernel/typed/decimal'
import { currencies, type Favour, factMax, favourMax } from './favour'

const hidden = new RegExp(hiddenCharacter, 'gu')

/** Returns a text as one line, without characters that nobody sees: a paste may have them. */
const lineOf = (text: string, most: number) =>
  text.replace(hidden, '').replace(/\s+/g, ' ').trim().slice(0, most)

/** Returns what a form asks for, or what is wrong with it, beside its field. */
export function favourIn(form: FormData): Favour | Problem {
  const favour = lineOf(field(form, 'favour'), favourMax)
  if (favour === '') return fieldProblem('favour', m.ask_favour_missing())
  const [date, currency] = [field(form, 'date'), field(form, 'currency')]
  if (date !== '' && !/^\d{4}-\d{2}-\d{2}$/.test(date)) return fieldProblem('date', m.ask_date_wrong())
  const amount = readDecimal(field(form, 'amount'))
  if (amount !== '' && !/^\d{1,9}(?:\.\d{1,2})?$/.test(amount))
    return fieldProblem('amount', m.ask_amount_wrong())
  const [place, file] = [lineOf(field(form, 'place'), factMax), lineOf(field(form, 'file'), factMax)]
  return {
    favour,
    ...(date === '' ? {} : { date }),
    ...(amount === '' ? {} : { amount, currency: currencies.includes(currency) ? currency : 'EUR' }),
    ...(place === '' ? {} : { place }),
    ...(file === '' ? {} : { file }),
  }
}

/** Assigns a refusal of the API to the field of the sentence, in words for a person. */
export function favourRefusal(problem: Problem): Problem {
  const words: Partial<Record<Problem['reason'], () => string>> = {
    peck_recently_rejected: m.ask_refused_recently,
    asker_paused: m.ask_refused_paused,
    too_many_pending_pecks: m.ask_refused_too_many_waiting,
    too_many_pecks: m.ask_refused_too_many,
    tier_too_low: m.ask_refused_tier,
    peck_to_self: m.ask_refused_self,
    invitation_mismatch: m.ask_refused_mismatch,
    duckling_not_found: m.ask_refused_nobody,
  }
  if (problem.errors?.some(({ field: name }) => name.startsWith('params')))
    return fieldProblem('favour', m.ask_favour_wrong())
  const { reason, errors: _, ...rest } = problem
  const detail = words[reason]?.()
  return detail === undefined ? problem : { ...rest, reason, detail }
}
