'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { api } from '@/app/_web/api'
import { formAction } from '@/app/_web/form-action'
import { isMissing } from '@/app/_web/problem'
import { signInAgain } from '@/app/_web/sign-in-again'

const page = '/security'

/** Goes to the security page, which shows the outcome. Revalidates all pages, because each one has the banner. */
function showOutcome(outcome: 'started' | 'cancelled' | 'failed'): never {
  revalidatePath('/', 'layout')
  redirect(`${page}?recovery=${outcome}`)
}

/** Requests the removal of all passkeys of the viewer. */
export const startRecovery = formAction({
  call: 'POST /beak/passkey/recover',
  page,
  // Only a sign-in with a code counts here: somebody who has lost the passkeys cannot sign in with one.
  refusal: (problem) => (problem.code === 'E4009' ? { ...problem, required: 'fresh_code' } : problem),
  done: () => showOutcome('started'),
})

/** Cancels the pending removal. A removal that no longer exists counts as cancelled. */
export async function cancelRecovery(): Promise<void> {
  const result = await api('POST /beak/passkey/recover/cancel', { body: {} })
  if (!result.ok) await signInAgain(result.problem, page)
  showOutcome(result.ok || isMissing(result.problem) ? 'cancelled' : 'failed')
}
