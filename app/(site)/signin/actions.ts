'use server'

import { redirect } from 'next/navigation'
import { refusedCode } from '@/app/_web/code-trouble'
import { type FormState, field, invalid, succeeded } from '@/app/_web/form'
import { nextPath } from '@/app/_web/local-path'
import { hasPasskey, wantsNoPasskey } from '@/app/_web/passkey-offer'
import { dropPending, keepPending, readPending } from '@/app/_web/pending-sign-in'
import { keepSession } from '@/app/_web/session-cookie'
import { requestCode as askForCode, endReplacedSession, signInWithCode } from '@/app/_web/sign-in'
import type { Resent } from '@/components/resend-code'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import type { Tier } from '@/lib/kernel/context'
import { email as emailField } from '@/lib/kernel/fields'

/** Whether somebody is here because an action needs a fresh sign-in, or one with a code. */
const isAgain = (reason: string) => reason === 'fresh' || reason === 'code'

/** This page again, with what it was asked for. */
function here(form: FormData): string {
  const reason = field(form, 'reason')
  const kept = { next: nextPath(field(form, 'next')), ...(isAgain(reason) ? { reason } : {}) }
  return `/signin?${new URLSearchParams(kept)}`
}

/** Mails a code and goes on to the code; "I have a code" goes on without another mail. */
export async function requestCode(previous: FormState, form: FormData): Promise<FormState> {
  const email = field(form, 'email')
  if (form.has('has-code') && emailField.safeParse(email).success) {
    await keepPending({ email, step: 'code', resendAt: 0 })
    redirect(here(form))
  }
  const result = await askForCode(email)
  if (!result.ok) return invalid(previous, form, result.problem)
  await keepPending({ email, step: 'code', resendAt: after(result.data.resend_after) })
  redirect(here(form))
}

/** Mails another code to the same address. */
export async function resendCode(previous: FormState<Resent>, form: FormData): Promise<FormState<Resent>> {
  const pending = (await readPending()) ?? redirect(here(form))
  const result = await askForCode(pending.email)
  if (!result.ok) {
    const state = invalid(previous, form, result.problem)
    return { ...state, data: { wait: result.problem.retry_after ?? 0 } }
  }
  const wait = result.data.resend_after
  await keepPending({ ...pending, resendAt: after(wait) })
  return succeeded(previous, 'A new code is on its way.', { wait })
}

/** Back to the address, which is kept so that a slip in it can be mended. */
export async function changeAddress(form: FormData): Promise<void> {
  const pending = await readPending()
  if (pending !== null) await keepPending({ ...pending, step: 'address' })
  redirect(here(form))
}

/** Signs in with the code that was mailed. */
export async function enterCode(previous: FormState, form: FormData): Promise<FormState> {
  const pending = (await readPending()) ?? redirect(here(form))
  const result = await signInWithCode(pending.email, field(form, 'otp'))
  if (!result.ok) return refusedCode(previous, form, result.problem)
  const { token, trust_tier } = result.data
  await endReplacedSession()
  await keepSession(token)
  await dropPending()
  redirect(await placeAfter(form, token, trust_tier))
}

/** Whoever has not confirmed their address does that first; whoever has no passkey is asked once. */
async function placeAfter(form: FormData, token: string, tier: Tier): Promise<string> {
  const next = nextPath(field(form, 'next'))
  const query = new URLSearchParams({ next })
  if (tier === 'T0') return `/welcome?${query}`
  // Whoever was sent here for a fresh sign-in is in the middle of something.
  if (isAgain(field(form, 'reason')) || (await wantsNoPasskey())) return next
  return (await hasPasskey(token)) ? next : `/signin/passkey?${query}`
}

function after(seconds: number): number {
  return secondsAfter(readClock(), seconds).getTime()
}
