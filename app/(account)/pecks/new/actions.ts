'use server'

import { redirect } from 'next/navigation'
import { formAction } from '@/app/_web/form-action'
import { fieldProblem, isMissing, type Problem } from '@/app/_web/problem'
import { favourIn, favourRefusal } from '@/app/(site)/ask/_favour/favour-in'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { pagesWithPecks } from '../_peck/pages'
import { newRequestPage } from './new-request-page'
import { type Candidates, candidatesOf, isLink, recipientIn } from './recipient'

/** Asks a person in a sentence. */
export const askPerson = formAction<'POST /beak/peck/request', Candidates>({
  call: 'POST /beak/peck/request',
  input: async (form) => {
    const favour = favourIn(form)
    if ('status' in favour) return favour
    // Who is typed counts, and not who was chosen before.
    const typed = field(form, 'target_duckling_id')
    const target = typed === '' ? field(form, 'friend') : await recipientIn(form)
    if (typeof target !== 'string') return target
    if (target === '') return fieldProblem('target_duckling_id', m.ask_whom_missing())
    return {
      ...(isLink(target) ? { target } : { target_duckling_id: target }),
      action: 'ask:favour',
      scope: 'limited' as const,
      params: { ...favour },
      expires_in: 604_800,
    }
  },
  page: (form) => newRequestPage(field(form, 'to')),
  changes: pagesWithPecks,
  refusal: besideWhom,
  keep: candidatesOf,
  done: ({ peck_id, repeated }) => redirect(`/pecks/${peck_id}?${repeated ? 'repeated' : 'sent'}=yes`),
})

/** Assigns a refusal to the field that it is about. A form for one person has no field for the person. */
function besideWhom(problem: Problem, form: FormData): Problem {
  const worded = favourRefusal(problem)
  if (!form.has('target_duckling_id')) return worded
  const isAboutTarget =
    isMissing(problem) || problem.code === 'E4002' || problem.reason.startsWith('invitation_')
  if (isAboutTarget) return { ...worded, ...errorsOf(worded.detail) }
  const isMalformed = problem.errors?.some(({ field: name }) => /^target/.test(name))
  return isMalformed ? { ...worded, ...errorsOf(m.requests_to_rule()) } : worded
}

const errorsOf = (message: string) => ({
  errors: fieldProblem('target_duckling_id', message).errors ?? [],
})
