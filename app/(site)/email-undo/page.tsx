import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { api } from '@/app/_web/api'
import { field } from '@/app/_web/form'
import { withProblemPage } from '@/components/problem-page'
import { LinkForm, resultOf } from '../link-form'

export const metadata: Metadata = { title: 'Undo the change of e-mail', robots: { index: false } }

async function act(form: FormData): Promise<void> {
  'use server'
  const token = field(form, 'token')
  const result = resultOf(await api('POST /beak/email-change/undo', { body: { token }, token: '' }))
  redirect(`/email-undo?${new URLSearchParams({ ...(result === 'later' ? { token } : {}), result })}`)
}

interface PageProps {
  searchParams: Promise<{ token?: string | string[]; result?: string | string[] }>
}

/** Where the mail to the earlier address of an account leads: brings that address back. */
export default withProblemPage(async function EmailUndoPage({ searchParams }: PageProps) {
  const { token, result } = await searchParams
  return (
    <LinkForm
      title="Undo the change of e-mail"
      lead="The e-mail address of your Beak account was changed. If it was not you, bring the earlier address back. This ends all sessions of the account and removes the passkeys that were added since."
      button="Bring my address back"
      token={String(token ?? '')}
      result={String(result)}
      done={{
        title: 'Your earlier address is back.',
        text: 'All sessions of the account have ended. Sign in with a code that we mail to that address, then check your passkeys and agents.',
        next: { href: '/signin?next=%2Fsecurity', label: 'Sign in' },
      }}
      dead={{
        text: 'A change of e-mail can be undone for 7 days, once. If the account is not yours any more, ask us for help.',
        next: { href: '/support', label: 'Ask for help' },
      }}
      action={act}
    />
  )
})
