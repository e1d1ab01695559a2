'use server'

import { redirect } from 'next/navigation'
import { api } from '@/app/_web/api'
import { codeRefusal } from '@/app/_web/code-refusal'
import { invalid } from '@/app/_web/form'
import { formAction } from '@/app/_web/form-action'
import { nextPath } from '@/app/_web/local-path'
import type { Problem } from '@/app/_web/problem'
import { keepSession } from '@/app/_web/session-cookie'
import { endReplacedSession } from '@/app/_web/sign-in'
import { askViewer } from '@/app/_web/viewer'
import { type FormState, field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'

const page = '/welcome'

function welcomePage(form: FormData, step?: string): string {
  return `${page}?${new URLSearchParams({ next: nextPath(field(form, 'next')), ...(step ? { step } : {}) })}`
}

/** Somebody has done this already, for instance in another window. */
const isDone = ({ code }: Problem) => code === 'E4008'

/** Confirms the email with the mailed code. */
export const confirmAddress = formAction({
  call: 'POST /beak/verify-email',
  input: (form) => ({ otp: field(form, 'otp') }),
  page,
  done: (_, form) => redirect(welcomePage(form)),
  refusal: (problem, form) => (isDone(problem) ? redirect(welcomePage(form)) : codeRefusal(problem)),
})

/** Sends another code. */
export const resendCode = formAction({
  call: 'POST /beak/verify-email/resend',
  page,
  changes: [],
  done: ({ resend_after }) => ({ message: m.welcome_new_code_is_on_its_way(), data: { wait: resend_after } }),
  refusal: (problem, form) => (isDone(problem) ? redirect(welcomePage(form)) : problem),
  keep: ({ retry_after }) => ({ wait: retry_after ?? 0 }),
})

/**
 * Corrects a mistyped email. Signs up again with the right email and closes the first duckling, which frees the wrong email for its
 * owner. A duckling with agents keeps them and changes its email on the profile page.
 */
export async function correctAddress(previous: FormState, form: FormData): Promise<FormState> {
  const viewer = await askViewer(page)
  if (!viewer.ok) return invalid(previous, form, viewer.problem)
  if (viewer.data.trust_tier !== 'T0') redirect(welcomePage(form))
  const agents = await api('GET /beak/agent/list', { query: { limit: '1' } })
  if (!agents.ok || agents.data.items.length > 0) redirect('/profile')
  const result = await api('POST /beak/signup', {
    body: {
      email: field(form, 'email'),
      display_name: viewer.data.display_name,
      directory_visible: viewer.data.directory_visible,
      ...(viewer.data.full_name === null ? {} : { full_name: viewer.data.full_name }),
    },
    token: '',
  })
  if (!result.ok) return invalid(previous, form, result.problem)
  const closed = await api('POST /beak/account/delete')
  if (!closed.ok) await endReplacedSession()
  await keepSession(result.data.token)
  redirect(welcomePage(form))
}

/** Issues the birth certificate, and lists the person in the directory when they ticked that. A certificate that exists already counts as success. */
export const issueCertificate = formAction({
  call: 'POST /beak/cert/issue',
  page,
  done: async (_, form) => {
    if (form.get('listed') !== null)
      await api('POST /beak/profile/update', { body: { directory_visible: true } })
    return redirect(welcomePage(form, 'certificate'))
  },
  refusal: (problem, form) => (isDone(problem) ? redirect(welcomePage(form, 'certificate')) : problem),
})
