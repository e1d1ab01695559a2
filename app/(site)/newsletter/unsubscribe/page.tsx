import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { m } from '@/lib/kernel/messages'
import { followLink, LinkForm, type LinkPageProps } from '../../link-form'

export const generateMetadata = (): Metadata => ({
  title: m.newsletter_unsubscribe(),
  robots: { index: false },
})

async function unsubscribe(form: FormData): Promise<void> {
  'use server'
  await followLink('POST /beak/newsletter/unsubscribe', '/newsletter/unsubscribe', form)
}

export default withProblemPage(async function UnsubscribePage({ searchParams }: LinkPageProps) {
  return (
    <LinkForm
      searchParams={searchParams}
      title={m.newsletter_unsubscribe()}
      lead={m.newsletter_unsubscribe_intro()}
      button={m.newsletter_unsubscribe()}
      done={{
        title: m.newsletter_you_are_unsubscribed(),
        text: m.newsletter_unsubscribe_done(),
      }}
      dead={{
        text: m.newsletter_unsubscribe_link_spent(),
        next: { href: '/newsletter', label: m.newsletter_open_the_newsletter_page() },
      }}
      action={unsubscribe}
    />
  )
})
