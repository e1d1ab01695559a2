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
      lead={m.emailundo_email_your_beak_account_was_changed()}
      button={m.emailundo_restore_my_email()}
      done={{
        title: m.emailundo_your_earlier_email_is_restored(),
        text: m.emailundo_all_sessions_are_signed_out_sign(),
        next: { href: '/signin?next=%2Fsecurity%2Frestored', label: m.emailundo_sign_in() },
      }}
      waiting={{
        title: m.emailundo_your_earlier_email_is_restored_in(),
        text: m.emailundo_passkey_account_confirmed_change_so_we(),
      }}
      dead={{
        text: m.emailundo_email_change_can_be_undone_once(),
        next: { href: '/support', label: m.emailundo_ask_for_help() },
      }}
      action={undo}
    />
  )
})
