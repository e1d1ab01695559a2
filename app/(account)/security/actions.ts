'use server'

import { revalidatePath } from 'next/cache'
import { api } from '@/app/_web/api'
import { type FormState, field, invalid, succeeded } from '@/app/_web/form'
import { atCodeField, signInAgain } from '@/app/_web/sign-in-again'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import type { PhoneStep } from './phone-steps'

const path = '/security'

export async function removePasskey(previous: FormState, form: FormData): Promise<FormState> {
  const result = await api('POST /beak/passkey/remove', { body: { passkey_id: field(form, 'passkey_id') } })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    return invalid(previous, form, result.problem)
  }
  revalidatePath(path)
  return succeeded(previous, `${result.data.name} is removed.`)
}

/** Ends the session that is named, or all others. */
export async function endSessions(previous: FormState, form: FormData): Promise<FormState> {
  const result = await api('POST /beak/session/revoke', {
    body: form.has('all_others') ? { all_others: true } : { session_id: field(form, 'session_id') },
  })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    return invalid(previous, form, result.problem)
  }
  revalidatePath(path)
  const { revoked } = result.data
  return succeeded(previous, revoked === 1 ? 'One session is ended.' : `${revoked} sessions are ended.`)
}

/** Two steps in one form: the number, then the code that was sent to it. */
export async function confirmPhone(
  previous: FormState<PhoneStep>,
  form: FormData,
): Promise<FormState<PhoneStep>> {
  if (form.has('restart')) return succeeded(previous, '', { step: 'phone' })
  const number = field(form, 'phone').replace(/[\s()./-]/g, '')
  const isCode = form.has('otp')
  const result = await api('PUT /beak/trust/elevate', {
    body: isCode ? { otp: field(form, 'otp') } : { phone: number },
  })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    const state = invalid(previous, form, isCode ? atCodeField(result.problem) : result.problem)
    return isCode ? { ...state, data: { step: 'code', number } } : state
  }
  if (!isCode) return succeeded(previous, `A code is on its way to ${number}.`, { step: 'code', number })
  revalidatePath(path)
  return succeeded(previous, 'Your phone is confirmed. You stand at T2.', { step: 'confirmed' })
}

/** From T0 to T1, by the code of the sign-up mail or a newer one. */
export async function confirmEmail(previous: FormState, form: FormData): Promise<FormState> {
  const result = await api('POST /beak/verify-email', { body: { otp: field(form, 'otp') } })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    return invalid(previous, form, atCodeField(result.problem))
  }
  revalidatePath(path)
  return succeeded(previous, 'Your e-mail is confirmed. You stand at T1.')
}

export async function sendEmailCode(previous: FormState, form: FormData): Promise<FormState> {
  const result = await api('POST /beak/verify-email/resend', { body: {} })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    return invalid(previous, form, result.problem)
  }
  return succeeded(previous, 'A new code is on its way. The newest two work.')
}

/** From T2 to T3, by the assertion that a passkey has made over our challenge. */
export async function confirmByPasskey(previous: FormState, form: FormData): Promise<FormState> {
  const result = await api('PUT /beak/trust/elevate', { body: { passkey: parsed(field(form, 'passkey')) } })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    return invalid(previous, form, result.problem)
  }
  revalidatePath(path)
  return succeeded(previous, 'Your passkey has confirmed you. You stand at T3.')
}

/** What is no credential the API refuses. */
function parsed(text: string): AssertionCredential {
  try {
    return JSON.parse(text) as AssertionCredential
  } catch {
    return {} as AssertionCredential
  }
}
