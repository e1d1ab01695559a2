import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { m } from '@/lib/kernel/messages'
import { followLink, LinkForm, type LinkPageProps } from '../../link-form'

export const generateMetadata = (): Metadata => ({
  title: m.newsletter_confirm_your_subscription(),
  robots: { index: false },
})

async function confirm(form: FormData): Promise<void> {
  'use server'
  await followLink('POST /beak/newsletter/confirm', '/newsletter/confirm', form)
}

export default withProblemPage(async function ConfirmNewsletterPage({ searchParams }: LinkPageProps) {
  return (
    <LinkForm
      searchParams={searchParams}
      title={m.newsletter_confirm_your_subscription()}
      lead={m.newsletter_subscribe_get_beak_newsletter_by_email()}
      button={m.newsletter_subscribe()}
      done={{
        title: m.newsletter_you_are_subscribed(),
        text: m.newsletter_confirm_done(),
      }}
      dead={{
        text: m.newsletter_confirm_link_spent(),
        next: { href: '/newsletter', label: m.newsletter_subscribe_again() },
      }}
      action={confirm}
    />
  )
})
