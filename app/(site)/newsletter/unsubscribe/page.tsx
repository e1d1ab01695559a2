import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { followLink, LinkForm, type LinkPageProps } from '../../link-form'

export const metadata: Metadata = { title: 'Unsubscribe', robots: { index: false } }

async function unsubscribe(form: FormData): Promise<void> {
  'use server'
  await followLink('POST /beak/newsletter/unsubscribe', '/newsletter/unsubscribe', form)
}

export default withProblemPage(async function UnsubscribePage({ searchParams }: LinkPageProps) {
  return (
    <LinkForm
      searchParams={searchParams}
      title="Unsubscribe"
      lead="We will stop sending you the Beak newsletter."
      button="Unsubscribe"
      done={{
        title: 'You are unsubscribed.',
        text: 'We will not send you the newsletter any more.',
      }}
      dead={{
        text: 'Open the link in our newest email. If you have no newer one, subscribe again to get a new link.',
        next: { href: '/newsletter', label: 'Open the newsletter page' },
      }}
      action={unsubscribe}
    />
  )
})
