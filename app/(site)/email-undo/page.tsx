import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { followLink, LinkForm, type LinkPageProps } from '../link-form'

export const metadata: Metadata = { title: 'Undo the email change', robots: { index: false } }

async function undo(form: FormData): Promise<void> {
  'use server'
  await followLink('POST /beak/email-change/undo', '/email-undo', form)
}

/** The mail to the earlier address of an account links here. The button restores that address. */
export default withProblemPage(async function EmailUndoPage({ searchParams }: LinkPageProps) {
  return (
    <LinkForm
      searchParams={searchParams}
      title="Undo the email change"
      lead="The email of your Beak account was changed. If it wasn't you, restore the earlier one. This signs out all sessions, removes the passkeys and permissions of the time since the change, suspends new agents and switches off new webhooks."
      button="Restore my email"
      done={{
        title: 'Your earlier email is restored.',
        text: 'All sessions are signed out. Sign in with a code that we send to that email. Then you see what was stopped, and can keep single agents and webhooks.',
        next: { href: '/signin?next=%2Fsecurity%2Frestored', label: 'Sign in' },
      }}
      waiting={{
        title: 'Your earlier email is restored in 24 hours.',
        text: "A passkey of the account confirmed the change, so we wait a day and tell the account. The owner of that passkey can cancel it. You don't need to do anything.",
      }}
      dead={{
        text: "An email change can be undone once, within 7 days. If you can't get into your account any more, ask us for help.",
        next: { href: '/support', label: 'Ask for help' },
      }}
      action={undo}
    />
  )
})
