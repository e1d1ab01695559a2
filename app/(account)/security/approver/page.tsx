import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { ButtonLink } from '@/components/ui/button'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { EnrolReturn } from '../enrol-return'

export const generateMetadata = (): Metadata => ({
  title: m.security_your_approver(),
  robots: { index: false },
})

/** Where an approver leads back to after it has made a passkey. */
export default withProblemPage(async function ApproverPage() {
  const viewer = await requireViewer('/security')
  return (
    <>
      <PageHead title={m.security_your_approver()} lead={m.security_approver_page_intro()} />
      <EnrolReturn viewer={viewer.duckling_id}>
        <ButtonLink href="/security#approver">{m.security_back_to_security()}</ButtonLink>
      </EnrolReturn>
    </>
  )
})
