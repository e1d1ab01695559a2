'use server'

import { redirect } from 'next/navigation'
import { formAction } from '@/app/_web/form-action'
import { nextPath } from '@/app/_web/local-path'
import { keepSession } from '@/app/_web/session-cookie'
import { keepPending } from '@/app/(site)/signin/pending-sign-in'
import { field } from '@/components/ui/form-state'

const nextOf = (form: FormData) => nextPath(field(form, 'next'))

/** The sign-up pass, or nothing when the page has no field for one or the field is empty. */
function pass(form: FormData): { sign_up_pass?: string } {
  const value = field(form, 'sign_up_pass').trim()
  return value === '' ? {} : { sign_up_pass: value }
}

/** Signs up and leads to the code. An email that is registered already leads to the sign-in. */
export const signUp = formAction({
  call: 'POST /beak/signup',
  input: (form) => ({
    email: field(form, 'email'),
    full_name: field(form, 'full_name'),
    // A later step asks.
    directory_visible: false,
    ...pass(form),
  }),
  page: '/signup',
  changes: [],
  done: async ({ token }, form) => {
    await keepSession(token)
    return redirect(`/welcome?${new URLSearchParams({ next: nextOf(form) })}`)
  },
  refusal: async (problem, form) => {
    if (problem.code !== 'E4003') return problem
    await keepPending({ email: field(form, 'email'), step: 'address', resendAt: 0 })
    return redirect(`/signin?${new URLSearchParams({ reason: 'known', next: nextOf(form) })}`)
  },
})
