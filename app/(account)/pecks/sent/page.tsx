import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { Announcements } from '@/components/ui/announcements'
import { ButtonLink } from '@/components/ui/button'
import { Empty } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { WithdrawForm } from '../_forms/revoke-form'
import { Pager } from '../_list/pager'
import { PeckRow } from '../_list/peck-row'
import { PecksHead } from '../_list/pecks-head'
import { LiveStatus } from '../_live/live-status'
import { readPecks } from '../_peck/reads'

export const generateMetadata = (): Metadata => ({ title: m.sent_sent_requests(), robots: { index: false } })

/** The requests of the viewer and their agents that somebody else answers. What own agents ask of the viewer is in the inbox. */
export default withProblemPage(async function SentPage({
  searchParams,
}: {
  searchParams: Promise<{ cursor?: string }>
}) {
  const viewer = await requireViewer('/pecks/sent')
  const cursor = String((await searchParams).cursor ?? '')
  const { items, next } = await readPecks({ direction: 'sent_to_others', cursor })
  const now = readClock()
  return (
    <>
      <PecksHead here="/pecks/sent" />
      <Announcements>
        <LiveStatus ducklingId={viewer.duckling_id} />
        {items.length === 0 ? (
          <div className="mt-4">
            <Empty
              title={m.sent_no_sent_requests_yet()}
              action={<ButtonLink href="/pecks/new">{m.sent_ask_somebody()}</ButtonLink>}
            >
              {m.sent_empty_hint()}
            </Empty>
          </div>
        ) : (
          <ul aria-label={m.sent_sent_requests()}>
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
