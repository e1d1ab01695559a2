import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { api } from '@/app/_web/api'
import { field } from '@/app/_web/form'
import { withProblemPage } from '@/components/problem-page'
import { LinkForm, resultOf } from '../link-form'

export const metadata: Metadata = { title: 'Keep your passkeys', robots: { index: false } }

async function act(form: FormData): Promise<void> {
  'use server'
  const token = field(form, 'token')
  // The link alone counts: a session in this browser may be another account's.
  const result = resultOf(await api('POST /beak/passkey/recover/cancel', { body: { token }, token: '' }))
  redirect(`/keep-passkeys?${new URLSearchParams({ ...(result === 'later' ? { token } : {}), result })}`)
}

interface PageProps {
  searchParams: Promise<{ token?: string | string[]; result?: string | string[] }>
}

/** Where the mail about a pending removal of passkeys leads: cancels the removal. */
export default withProblemPage(async function KeepPasskeysPage({ searchParams }: PageProps) {
  const { token, result } = await searchParams
  return (
    <LinkForm
      title="Keep your passkeys"
      lead="Somebody asked Beak to remove all passkeys of your account after 24 hours. If it was not you, cancel the removal."
      button="Cancel the removal"
      token={String(token ?? '')}
      result={String(result)}
      done={{
        title: 'Your passkeys stay.',
        text: 'The removal is cancelled. If you did not ask for it, somebody else can read your e-mail: change the password of your mailbox, then look at your sessions.',
        next: { href: '/security#sessions', label: 'Look at my sessions' },
      }}
      dead={{
        text: 'Your security page shows whether a removal is pending. You can cancel it there.',
        next: { href: '/security#recovery', label: 'Open my security page' },
      }}
      action={act}
    />
  )
})
