import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { m } from '@/lib/kernel/messages'
import { followLink, LinkForm, type LinkPageProps } from '../link-form'

export const generateMetadata = (): Metadata => ({
  title: m.recovery_keep_your_passkeys(),
  robots: { index: false },
})

async function cancelRemoval(form: FormData): Promise<void> {
  'use server'
  await followLink('POST /beak/passkey/recover/cancel', '/keep-passkeys', form)
}

/** The mail about a pending removal of passkeys links here. The button cancels the removal. */
export default withProblemPage(async function KeepPasskeysPage({ searchParams }: LinkPageProps) {
  return (
    <LinkForm
      searchParams={searchParams}
      title={m.recovery_keep_your_passkeys()}
      lead={m.recovery_somebody_asked_beak_remove_all_passkeys()}
      button={m.recovery_cancel_the_removal()}
      done={{
        title: m.recovery_your_passkeys_stay(),
        text: m.recovery_passkeys_kept_body(),
        next: { href: '/security#sessions', label: m.recovery_check_my_sessions() },
      }}
      dead={{
        text: m.recovery_cancel_link_spent(),
        next: { href: '/security#recovery', label: m.recovery_open_my_security_page() },
      }}
      action={cancelRemoval}
    />
  )
})
