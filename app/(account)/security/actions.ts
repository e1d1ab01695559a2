'use server'

import { revalidatePath } from 'next/cache'
import { POST as passkeyRemove } from '@/app/beak/passkey/remove/route'
import { POST as sessionRevoke } from '@/app/beak/session/revoke/route'
import { PUT as elevate } from '@/app/beak/trust/elevate/route'
import { callApi } from '@/lib/web/call-api'
import { done, type FormState, field, refused } from '@/lib/web/form'
import { besideCode, signInAgain } from '@/lib/web/sign-in-again'
import type { PhoneStep } from './phone-steps'

const path = '/security'

interface Freshness {
  freshSignIn?: boolean
}

export async function removePasskey(
  previous: FormState<Freshness>,
  form: FormData,
): Promise<FormState<Freshness>> {
  const result = await callApi(passkeyRemove, 'POST', { body: { passkey_id: field(form, 'passkey_id') } })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    return {
      ...refused(previous, form, result.problem),
      data: { freshSignIn: result.problem.code === 'E4009' },
    }
  }
  revalidatePath(path)
  return done(previous, `${result.data.name} is removed.`)
}

/** Ends the session that is named, or all others. */
export async function endSessions(previous: FormState, form: FormData): Promise<FormState> {
  const result = await callApi(sessionRevoke, 'POST', {
    body: form.has('all_others') ? { all_others: true } : { session_id: field(form, 'session_id') },
  })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    return refused(previous, form, result.problem)
  }
  revalidatePath(path)
  const { revoked } = result.data
  return done(previous, revoked === 1 ? 'One session is ended.' : `${revoked} sessions are ended.`)
}

/** Two steps in one form: the number, then the code that was sent to it. */
export async function confirmPhone(
  previous: FormState<PhoneStep>,
  form: FormData,
): Promise<FormState<PhoneStep>> {
  if (form.has('restart')) return done(previous, '', { step: 'phone' })
  const number = field(form, 'phone').replace(/[\s()./-]/g, '')
  const isCode = form.has('otp')
  const result = await callApi(elevate, 'PUT', {
    body: isCode ? { otp: field(form, 'otp') } : { phone: number },
  })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    const state = refused(previous, form, isCode ? besideCode(result.problem) : result.problem)
    return isCode ? { ...state, data: { step: 'code', number } } : state
  }
  if (!isCode) return done(previous, `A code is on its way to ${number}.`, { step: 'code', number })
  revalidatePath(path)
  return done(previous, 'Your phone is confirmed. You stand at T2.', { step: 'phone' })
}
