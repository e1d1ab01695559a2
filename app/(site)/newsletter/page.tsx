import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { optionalViewer } from '@/app/_web/viewer'
import { Stamp } from '@/components/stamp'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { NewsletterForm } from './newsletter-form'

export const generateMetadata = (): Metadata => ({
  title: m.newsletter_newsletter(),
  description: m.newsletter_page_description(),
})

export default withProblemPage(async function NewsletterPage() {
  const viewer = await optionalViewer()
  return (
    <div className="grid gap-x-20 gap-y-10 lg:grid-cols-[minmax(0,36rem)_minmax(0,1fr)]">
      <div>
        <PageHead title={m.newsletter_newsletter()} lead={m.newsletter_page_intro()} />
        <NewsletterForm email={viewer?.email ?? undefined} />
      </div>
      <div className="max-lg:hidden">
        <Stamp id="DUCK-QXQH" />
      </div>
    </div>
  )
})
