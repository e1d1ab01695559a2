'use server'

import { redirect } from 'next/navigation'
import { api } from '@/app/_web/api'
import { refusedCode } from '@/app/_web/code-trouble'
import { type FormState, field, invalid, succeeded } from '@/app/_web/form'
import { nextPath } from '@/app/_web/local-path'
import { keepSession } from '@/app/_web/session-cookie'
import { endReplacedSession } from '@/app/_web/sign-in'
import { signInAgain } from '@/app/_web/sign-in-again'
import { askViewer } from '@/app/_web/viewer'
import type { Resent } from '@/components/resend-code'

const path = '/welcome'

function here(form: FormData, step?: string): string {
  return `${path}?${new URLSearchParams({ next: nextPath(field(form, 'next')), ...(step ? { step } : {}) })}`
}

/** Confirms the address with the code that was mailed to it. */
export async function confirmAddress(previous: FormState, form: FormData): Promise<FormState> {
  const otp = field(form, 'otp').replace(/\s/g, '')
  const result = await api('POST /beak/verify-email', { body: { otp } })
  // E4008: confirmed already, in another window for instance.
  if (result.ok || result.problem.code === 'E4008') redirect(here(form))
  await signInAgain(result.problem, path)
  return refusedCode(previous, form, result.problem)
}

/** Mails another code. */
export async function resendCode(previous: FormState<Resent>, form: FormData): Promise<FormState<Resent>> {
  const result = await api('POST /beak/verify-email/resend')
  if (result.ok) return succeeded(previous, 'A new code is on its way.', { wait: result.data.resend_after })
  if (result.problem.code === 'E4008') redirect(here(form))
  await signInAgain(result.problem, path)
  const state = invalid(previous, form, result.problem)
  return { ...state, data: { wait: result.problem.retry_after ?? 0 } }
}

/**
 * Mends a mistyped address: the duckling is hatched anew with the right one, and the one that could never be reached is closed,
 * so that the address is free for whoever has it. One with agents keeps them, and changes its address on the profile page.
 */
export async function correctAddress(previous: FormState, form: FormData): Promise<FormState> {
  const viewer = await askViewer(path)
  if (!viewer.ok) return invalid(previous, form, viewer.problem)
  if (viewer.data.trust_tier !== 'T0') redirect(here(form))
  const agents = await api('GET /beak/agent/list', { query: { limit: '1' } })
  if (!agents.ok || agents.data.items.length > 0) redirect('/profile')
  const referralCode = field(form, 'referral_code')
  const result = await api('POST /beak/signup', {
    body: {
      email: field(form, 'email'),
      display_name: viewer.data.display_name,
      ...(referralCode === '' ? {} : { referral_code: referralCode }),
    },
    token: '',
  })
  if (!result.ok) return invalid(previous, form, result.problem)
  const closed = await api('POST /beak/account/delete')
  if (!closed.ok) await endReplacedSession()
  await keepSession(result.data.token)
  redirect(here(form))
}

/** Issues the birth certificate. One that is there already is as good. */
export async function issueCertificate(previous: FormState, form: FormData): Promise<FormState> {
  const result = await api('POST /beak/cert/issue')
  if (result.ok || result.problem.code === 'E4008') redirect(here(form, 'hatched'))
  await signInAgain(result.problem, path)
  return invalid(previous, form, result.problem)
}
