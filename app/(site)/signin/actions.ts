'use server'

import { redirect } from 'next/navigation'
import { codeRefusal } from '@/app/_web/code-refusal'
import { invalid } from '@/app/_web/form'
import { nextPath } from '@/app/_web/local-path'
import { hasPasskey, wantsNoPasskey } from '@/app/_web/passkeys'
import { keepSession } from '@/app/_web/session-cookie'
import { endReplacedSession, requestCode, signInWithCode } from '@/app/_web/sign-in'
import type { Resent } from '@/components/resend-code'
import { type FormState, field, succeeded } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { leadsToConsent } from '@/lib/kernel/request/oauth-paths'
import type { Tier } from '@/lib/kernel/request/tier'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { email as emailField } from '@/lib/kernel/typed/email'
import { dropPending, keepPending, readPending } from './pending-sign-in'

/** Whether somebody signs in again because an action needs a fresh sign-in, or one with a code. */
const isAgain = (reason: string) => reason === 'fresh' || reason === 'code'

/** Returns the address of the sign-in page with the parameters of the form. */
function signInPage(form: FormData): string {
  const reason = field(form, 'reason')
  const kept = { next: nextPath(field(form, 'next')), ...(isAgain(reason) ? { reason } : {}) }
  return `/signin?${new URLSearchParams(kept)}`
}

/** Sends a code and shows the code step. "I already have a code" shows that step without sending one. */
export async function sendCode(previous: FormState, form: FormData): Promise<FormState> {
  const typed = field(form, 'email')
  const read = emailField.safeParse(typed)
  // The next step shows the address as it is stored, so it never shows a domain as another one that looks like it.
  const email = read.data ?? typed
  if (form.has('has-code') && read.success) {
    await keepPending({ email, step: 'code', resendAt: 0 })
    redirect(signInPage(form))
  }
  const result = await requestCode(email)
  if (!result.ok) return invalid(previous, form, result.problem)
  await keepPending({ email, step: 'code', resendAt: after(result.data.resend_after) })
  redirect(signInPage(form))
}

/** Sends another code to the same email. */
export async function resendCode(previous: FormState<Resent>, form: FormData): Promise<FormState<Resent>> {
  const pending = (await readPending()) ?? redirect(signInPage(form))
  const result = await requestCode(pending.email)
  if (!result.ok) {
    const state = invalid(previous, form, result.problem)
    return { ...state, data: { wait: result.problem.retry_after ?? 0 } }
  }
  const wait = result.data.resend_after
  await keepPending({ ...pending, resendAt: after(wait) })
  return succeeded(previous, m.signin_new_code_is_on_its_way(), { wait })
}

/** Goes back to the email step. The email stays in its field so that a typo can be corrected. */
export async function changeAddress(form: FormData): Promise<void> {
  const pending = await readPending()
  if (pending !== null) await keepPending({ ...pending, step: 'address' })
  redirect(signInPage(form))
}

/** Signs in with the mailed code. */
export async function enterCode(previous: FormState, form: FormData): Promise<FormState> {
  const pending = (await readPending()) ?? redirect(signInPage(form))
  const result = await signInWithCode(pending.email, field(form, 'otp'))
  if (!result.ok) return invalid(previous, form, codeRefusal(result.problem))
  const { token, trust_tier } = result.data
  await endReplacedSession()
  await keepSession(token)
  await dropPending()
  redirect(await pageAfterSignIn(form, token, trust_tier))
}

/** The page of a request, which a mail links to, or the one that a program opened. */
const isOnTheWay = (path: string) => /^\/pecks\/PECK-\w+$/.test(path) || leadsToConsent(path)

/**
 * People with an unconfirmed email confirm it first. People without a passkey are asked once to add one, but not on the way from a mail to
 * a request, or from a program to its question.
 */
async function pageAfterSignIn(form: FormData, token: string, tier: Tier): Promise<string> {
  const next = nextPath(field(form, 'next'))
  const query = new URLSearchParams({ next })
  if (tier === 'T0') return `/welcome?${query}`
  // A sign-in for another action does not interrupt that action with an offer.
  if (isAgain(field(form, 'reason')) || isOnTheWay(next) || (await wantsNoPasskey())) return next
  return (await hasPasskey(token)) ? next : `/signin/passkey?${query}`
}

function after(seconds: number): number {
  return secondsAfter(readClock(), seconds).getTime()
}
