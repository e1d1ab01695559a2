import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { ButtonLink } from '@/components/ui/button'
import { PageHead } from '@/components/ui/surface'
import { DecideReturn } from '../../_decision/decide-return'

export const metadata: Metadata = { title: 'Your approver', robots: { index: false } }

interface PageProps {
  params: Promise<{ id: string }>
}

/** Where an approver leads back to after it has signed a decision. */
export default withProblemPage(async function ApproverPage({ params }: PageProps) {
  const { id } = await params
  const viewer = await requireViewer(`/pecks/${encodeURIComponent(id)}`)
  return (
    <>
      <PageHead title="Your approver" lead="It showed you what is signed. Now Beak takes the signature." />
      <DecideReturn viewer={viewer.duckling_id}>
        <ButtonLink href={`/pecks/${encodeURIComponent(id)}`}>See the request</ButtonLink>
        <ButtonLink href="/pecks" kind="quiet">
          Back to the inbox
        </ButtonLink>
      </DecideReturn>
    </>
  )
})
