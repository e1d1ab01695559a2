import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { optionalViewer } from '@/app/_web/viewer'
import { Stamp } from '@/components/stamp'
import { PageHead } from '@/components/ui/surface'
import { NewsletterForm } from './newsletter-form'

export const metadata: Metadata = {
  title: 'Newsletter',
  description: 'News about Beak by email, not often.',
}

export default withProblemPage(async function NewsletterPage() {
  const viewer = await optionalViewer()
  return (
    <div className="grid gap-x-20 gap-y-10 lg:grid-cols-[minmax(0,36rem)_minmax(0,1fr)]">
      <div>
        <PageHead title="Newsletter" lead="News about Beak by email, not often. Unsubscribe any time." />
        <NewsletterForm email={viewer?.email ?? undefined} />
      </div>
      <div className="max-lg:hidden">
        <Stamp id="DUCK-QXQH" />
      </div>
    </div>
  )
})
