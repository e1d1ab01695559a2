'use server'

import { redirect } from 'next/navigation'
import { formAction } from '@/app/_web/form-action'
import { fieldProblem } from '@/app/_web/problem'
import { dropSession } from '@/app/_web/session-cookie'
import { askViewer } from '@/app/_web/viewer'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { keptText } from '@/lib/kernel/text/kept-values'

const page = '/account'

/** Closes the viewer's account when the typed email address is right, and shows what was closed. */
export const closeAccount = formAction({
  call: 'POST /beak/account/delete',
  input: async (form) => {
    const viewer = await askViewer(page)
    if (!viewer.ok) return viewer.problem
    // Only closed accounts have no address.
    const email = viewer.data.email ?? viewer.data.duckling_id
    if (field(form, 'typed').trim() === email) return {}
    return fieldProblem('typed', keptText(m.account_close_email_refused, { email }))
  },
  page,
  changes: [],
  done: async ({ touched }) => {
    await dropSession()
    // Only counts: an address may end up in a browser history or a log.
    const counts = Object.entries(touched).map(([name, ids]) => [name, String(ids.length)])
    redirect(`/goodbye?${new URLSearchParams(counts)}`)
  },
})
