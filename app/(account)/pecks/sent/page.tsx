import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { Announcements } from '@/components/ui/announcements'
import { ButtonLink } from '@/components/ui/button'
import { Empty } from '@/components/ui/surface'
import { readClock } from '@/lib/kernel/clock'
import { WithdrawForm } from '../_forms/withdraw-form'
import { Pager } from '../_list/pager'
import { PeckRow } from '../_list/peck-row'
import { PecksHead } from '../_list/pecks-head'
import { LiveStatus } from '../_live/live-status'
import { readPecks } from '../_peck/reads'

export const metadata: Metadata = { title: 'Sent requests', robots: { index: false } }

/** The requests that the viewer and their agents sent. */
export default withProblemPage(async function SentPage({
  searchParams,
}: {
  searchParams: Promise<{ cursor?: string }>
}) {
  const viewer = await requireViewer('/pecks/sent')
  const cursor = String((await searchParams).cursor ?? '')
  const { items, next } = await readPecks({ direction: 'sent', cursor })
  const now = readClock()
  return (
    <>
      <PecksHead here="/pecks/sent" />
      <Announcements>
        <LiveStatus ducklingId={viewer.duckling_id} />
        {items.length === 0 ? (
          <div className="mt-4">
            <Empty
              title="No sent requests yet"
              action={<ButtonLink href="/pecks/new">New request</ButtonLink>}
            >
              Requests from you and your agents appear here with their answers.
            </Empty>
          </div>
        ) : (
          <ul aria-label="Sent requests">
            {items.map((request) => (
              <PeckRow
                key={request.peck.peck_id}
                {...request}
                viewerId={viewer.duckling_id}
                now={now}
                actions={request.peck.status === 'pending' ? <WithdrawForm peck={request.peck} /> : undefined}
              />
            ))}
          </ul>
        )}
      </Announcements>
      <Pager here="/pecks/sent" cursor={cursor} next={next} />
    </>
  )
})
