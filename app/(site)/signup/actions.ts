'use server'

import { redirect } from 'next/navigation'
import { api } from '@/app/_web/api'
import { type FormState, field, invalid } from '@/app/_web/form'
import { nextPath } from '@/app/_web/local-path'
import { keepPending } from '@/app/_web/pending-sign-in'
import { keepSession } from '@/app/_web/session-cookie'

/** Signs up and goes on to the code; an address that is known goes on to sign in with it. */
export async function signUp(previous: FormState, form: FormData): Promise<FormState> {
  const email = field(form, 'email')
  const referralCode = field(form, 'referral_code')
  const next = nextPath(field(form, 'next'))
  const result = await api('POST /beak/signup', {
    body: {
      email,
      display_name: field(form, 'display_name'),
      ...(referralCode === '' ? {} : { referral_code: referralCode }),
    },
    token: '',
  })
  if (result.ok) {
    await keepSession(result.data.token)
    const kept = { next, ...(referralCode === '' ? {} : { ref: referralCode }) }
    redirect(`/welcome?${new URLSearchParams(kept)}`)
  }
  if (result.problem.code !== 'E4003') return invalid(previous, form, result.problem)
  await keepPending({ email, step: 'address', resendAt: 0 })
  redirect(`/signin?${new URLSearchParams({ reason: 'known', next })}`)
}
