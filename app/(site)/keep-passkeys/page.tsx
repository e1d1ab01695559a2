import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { followLink, LinkForm, type LinkPageProps } from '../link-form'

export const metadata: Metadata = { title: 'Keep your passkeys', robots: { index: false } }

async function cancelRemoval(form: FormData): Promise<void> {
  'use server'
  await followLink('POST /beak/passkey/recover/cancel', '/keep-passkeys', form)
}

/** The mail about a pending removal of passkeys links here. The button cancels the removal. */
export default withProblemPage(async function KeepPasskeysPage({ searchParams }: LinkPageProps) {
  return (
    <LinkForm
      searchParams={searchParams}
      title="Keep your passkeys"
      lead="Somebody asked Beak to remove all passkeys of your account after 24 hours, or to let them sign in with a link of the host. If it wasn't you, cancel it."
      button="Cancel the removal"
      done={{
        title: 'Your passkeys stay.',
        text: "The removal is cancelled. If you didn't ask for it, somebody else can read your email: change the password of your mailbox, then check your sessions.",
        next: { href: '/security#sessions', label: 'Check my sessions' },
      }}
      dead={{
        text: 'Your security page shows whether a removal is pending. You can cancel it there.',
        next: { href: '/security#recovery', label: 'Open my security page' },
      }}
      action={cancelRemoval}
    />
  )
})
