import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { followLink, LinkForm, type LinkPageProps } from '../../link-form'

export const metadata: Metadata = { title: 'Confirm your subscription', robots: { index: false } }

async function confirm(form: FormData): Promise<void> {
  'use server'
  await followLink('POST /beak/newsletter/confirm', '/newsletter/confirm', form)
}

export default withProblemPage(async function ConfirmNewsletterPage({ searchParams }: LinkPageProps) {
  return (
    <LinkForm
      searchParams={searchParams}
      title="Confirm your subscription"
      lead="Subscribe to get the Beak newsletter by email."
      button="Subscribe"
      done={{
        title: 'You are subscribed.',
        text: 'We will send you the newsletter by email. To unsubscribe at any time, use the link in the email you came from.',
      }}
      dead={{
        text: 'Open the link in our newest email, or subscribe again to get a new one.',
        next: { href: '/newsletter', label: 'Subscribe again' },
      }}
      action={confirm}
    />
  )
})
