import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { ButtonLink } from '@/components/ui/button'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { DecideReturn } from '../../_decision/decide-return'

export const generateMetadata = (): Metadata => ({
  title: m.requests_your_approver(),
  robots: { index: false },
})

interface PageProps {
  params: Promise<{ id: string }>
}

/** Where an approver leads back to after it has signed a decision. */
export default withProblemPage(async function ApproverPage({ params }: PageProps) {
  const { id } = await params
  const viewer = await requireViewer(`/pecks/${encodeURIComponent(id)}`)
  return (
    <>
      <PageHead title={m.requests_your_approver()} lead={m.requests_approver_return_intro()} />
      <DecideReturn viewer={viewer.duckling_id}>
        <ButtonLink href={`/pecks/${encodeURIComponent(id)}`}>{m.requests_see_the_request()}</ButtonLink>
        <ButtonLink href="/pecks" kind="quiet">
          {m.requests_back_to_the_inbox()}
        </ButtonLink>
      </DecideReturn>
    </>
  )
})
