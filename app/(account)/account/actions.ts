'use server'

import { redirect } from 'next/navigation'
import { POST as accountDelete } from '@/app/beak/account/delete/route'
import { callApi } from '@/lib/web/call-api'
import { type FormState, field, refused } from '@/lib/web/form'
import { dropSession } from '@/lib/web/session-cookie'
import { signInAgain } from '@/lib/web/sign-in-again'
import { askViewer } from '@/lib/web/viewer'

/** Closes the account of whoever typed its name, forgets the session, and goes where the counts are said. */
export async function closeAccount(previous: FormState, form: FormData): Promise<FormState> {
  const viewer = await askViewer('/account')
  if (!viewer.ok) return refused(previous, form, viewer.problem)
  const { display_name } = viewer.data
  if (field(form, 'display_name') !== display_name)
    return {
      status: 'refused',
      message: 'Nothing has been closed.',
      errors: { display_name: `Type ${display_name}, exactly as it is written.` },
      values: { display_name: field(form, 'display_name') },
      turn: previous.turn + 1,
    }
  const result = await callApi(accountDelete, 'POST', { body: {} })
  if (!result.ok) {
    await signInAgain(result.problem, '/account')
    return refused(previous, form, result.problem)
  }
  await dropSession()
  // Counts only: what the address says may end up in a history or a log.
  const counts = Object.entries(result.data.touched).map(([name, ids]) => [name, String(ids.length)])
  redirect(`/goodbye?${new URLSearchParams(counts)}`)
}
