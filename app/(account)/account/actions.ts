'use server'

import { redirect } from 'next/navigation'
import { api } from '@/app/_web/api'
import { type FormState, field, invalid } from '@/app/_web/form'
import { dropSession } from '@/app/_web/session-cookie'
import { signInAgain } from '@/app/_web/sign-in-again'
import { askViewer } from '@/app/_web/viewer'

/** Closes the account of whoever typed its name, forgets the session, and goes where the counts are said. */
export async function closeAccount(previous: FormState, form: FormData): Promise<FormState> {
  const viewer = await askViewer('/account')
  if (!viewer.ok) return invalid(previous, form, viewer.problem)
  const { display_name } = viewer.data
  if (field(form, 'display_name') !== display_name)
    return {
      status: 'failed',
      message: 'Nothing has been closed.',
      errors: { display_name: `Type ${display_name}, exactly as it is written.` },
      values: { display_name: field(form, 'display_name') },
      turn: previous.turn + 1,
    }
  const result = await api('POST /beak/account/delete', { body: {} })
  if (!result.ok) {
    await signInAgain(result.problem, '/account')
    return invalid(previous, form, result.problem)
  }
  await dropSession()
  // Counts only: what the address says may end up in a history or a log.
  const counts = Object.entries(result.data.touched).map(([name, ids]) => [name, String(ids.length)])
  redirect(`/goodbye?${new URLSearchParams(counts)}`)
}
