import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { m } from '@/lib/kernel/messages'
import { followLink, LinkForm, type LinkPageProps } from '../link-form'

export const generateMetadata = (): Metadata => ({
  title: m.emailundo_undo_the_email_change(),
  robots: { index: false },
})

async function undo(form: FormData): Promise<void> {
  'use server'
  await followLink('POST /beak/email-change/undo', '/email-undo', form)
}

/** The mail to the earlier address of an account links here. The button restores that address. */
export default withProblemPage(async function EmailUndoPage({ searchParams }: LinkPageProps) {
  return (
    <LinkForm
      searchParams={searchParams}
      title={m.emailundo_undo_the_email_change()}
      lead={m.emailundo_restore_intro()}
      button={m.emailundo_restore_my_email()}
      done={{
        title: m.emailundo_your_earlier_email_is_restored(),
        text: m.emailundo_restored_body(),
        next: { href: '/signin?next=%2Fsecurity%2Frestored', label: m.emailundo_sign_in() },
      }}
      waiting={{
        title: m.emailundo_restore_delayed_note(),
        text: m.emailundo_waits_a_day(),
      }}
      dead={{
        text: m.emailundo_link_spent_help(),
        next: { href: '/support', label: m.emailundo_ask_for_help() },
      }}
      action={undo}
    />
  )
})
