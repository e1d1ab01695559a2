'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { api } from './api'
import { type FormState, invalid } from './form'
import { signInAgain } from './sign-in-again'

const path = '/security'

/** Goes to the security page, which says what happened. The banner above every page is drawn again. */
function goOn(outcome: 'started' | 'cancelled' | 'failed'): never {
  revalidatePath('/', 'layout')
  redirect(`${path}?recovery=${outcome}`)
}

/** Asks for the removal of all passkeys of the viewer. */
export async function startRecovery(previous: FormState, form: FormData): Promise<FormState> {
  const result = await api('POST /beak/passkey/recover')
  if (result.ok) goOn('started')
  await signInAgain(result.problem, path)
  // Only a code counts here: somebody who has lost the passkeys cannot sign in with one.
  const needs = result.problem.code === 'E4009' ? { needs: 'fresh_code' as const } : {}
  return { ...invalid(previous, form, result.problem), ...needs }
}

/** Cancels the pending removal. One that is gone already counts as cancelled: the page shows how things are. */
export async function cancelRecovery(): Promise<void> {
  const result = await api('POST /beak/passkey/recover/cancel', { body: {} })
  if (!result.ok) await signInAgain(result.problem, path)
  goOn(result.ok || result.problem.status === 404 ? 'cancelled' : 'failed')
}
