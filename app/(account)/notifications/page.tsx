import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/read'
import { requireViewer } from '@/app/_web/viewer'
import { Link } from '@/components/ui/link'
import { SplitSection } from '@/components/ui/split-section'
import { Notice, PageHead } from '@/components/ui/surface'
import { timeZones } from '@/lib/kernel/time-zone'
import { MailForm } from './mail-form'
import { QuietForm } from './quiet-form'

export const metadata: Metadata = { title: 'Notifications', robots: { index: false } }

export default withProblemPage(async function NotificationsPage() {
  const viewer = await requireViewer('/notifications')
  const { channels, quiet_hours, time_zone } = await read('GET /beak/notifications')
  return (
    <>
      <PageHead title="Notifications" lead="Which requests we tell you about, and when." />
      {viewer.email_verified ? null : (
        <div className="mb-9">
          <Notice tone="warn" title="Confirm your email address to get mail about requests">
            <Link href="/security" className="underline">
              Confirm it on your security page
            </Link>
            .
          </Notice>
        </div>
      )}
      <SplitSection
        id="mail"
        title="Mail"
        lead={
          <>
            Goes to <strong className="font-medium text-ink wrap-anywhere">{viewer.email}</strong>. At most
            one mail in ten minutes.
          </>
        }
      >
        <MailForm {...channels.mail} />
      </SplitSection>
      <SplitSection
        id="quiet"
        title="Quiet hours"
        lead="Mail about requests waits until quiet hours end. Requests that expire or are answered before then are left out."
      >
        <QuietForm quietHours={quiet_hours} timeZone={time_zone} zones={timeZones()} />
      </SplitSection>
      <SplitSection id="always" title="Always sent" lead="At any time, whatever you choose here.">
        <p className="text-sm">
          The codes you ask for, and notices about the security of your account, such as a sign-in on a new
          device.
        </p>
      </SplitSection>
    </>
  )
})
