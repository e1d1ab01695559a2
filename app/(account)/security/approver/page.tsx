import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { ButtonLink } from '@/components/ui/button'
import { PageHead } from '@/components/ui/surface'
import { EnrolReturn } from '../enrol-return'

export const metadata: Metadata = { title: 'Your approver', robots: { index: false } }

/** Where an approver leads back to after it has made a passkey. */
export default withProblemPage(async function ApproverPage() {
  const viewer = await requireViewer('/security')
  return (
    <>
      <PageHead
        title="Your approver"
        lead="It shows what is really signed, on a site that Beak doesn't serve."
      />
      <EnrolReturn viewer={viewer.duckling_id}>
        <ButtonLink href="/security#approver">Back to Security</ButtonLink>
      </EnrolReturn>
    </>
  )
})
