import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { m } from '@/lib/kernel/messages'
import { followLink, LinkForm, type LinkPageProps } from '../link-form'

export const generateMetadata = (): Metadata => ({ title: m.not_me_title(), robots: { index: false } })

async function disown(form: FormData): Promise<void> {
  'use server'
  await followLink('POST /beak/session/disown', '/not-me', form)
}

/** An alarm links here. The button ends the session that the alarm is about. */
export default withProblemPage(async function NotMePage({ searchParams }: LinkPageProps) {
  return (
    <LinkForm
      searchParams={searchParams}
      title={m.not_me_title()}
      lead={m.not_me_lead()}
      button={m.not_me_end_session()}
      done={{
        title: m.not_me_done_title(),
        text: m.not_me_done_text(),
        next: { href: '/security', label: m.not_me_open_security() },
      }}
      guarded={{
        title: m.not_me_guarded_title(),
        text: m.not_me_guarded_text(),
        next: { href: '/security#sessions', label: m.not_me_open_security() },
      }}
      dead={{
        text: m.not_me_dead_text(),
        next: { href: '/security#sessions', label: m.not_me_open_security() },
      }}
      action={disown}
    />
  )
})
