import type { Metadata } from 'next'
import { cache } from 'react'
import { answerNotFound } from '@/app/_web/answer-not-found'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { find } from '@/app/_web/read'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { NotFoundPage } from '@/components/not-found-page'
import { withProblemPage, withProblemTitle } from '@/components/problem-page'
import { Announcements } from '@/components/ui/announcements'
import { BackLink } from '@/components/ui/back-link'
import { CopyBlock } from '@/components/ui/copy'
import { Card, Notice, PageHead, Pill, Section } from '@/components/ui/surface'
import { readClock } from '@/lib/kernel/clock'
import { outcomeOf } from '../_decision/outcome'
import { PeckDecision } from '../_decision/peck-decision'
import { BlockForm } from '../_forms/block-form'
import { WithdrawForm } from '../_forms/withdraw-form'
import { LiveStatus } from '../_live/live-status'
import { Parties } from '../_peck/parties'
import { type Peck, type PeckWithDetails, withDetails } from '../_peck/reads'
import { RequestFacts } from '../_peck/request-facts'
import { Requester } from '../_peck/requester'
import { actionTitle, statusBadge } from '../_peck/words'
import { Permission } from './permission'
import { TimelineList } from './timeline-list'

interface PeckProps {
  params: Promise<{ id: string }>
  searchParams: Promise<{ repeated?: string }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: PeckProps): Promise<Metadata> {
  const { id } = await params
  await requireViewer(`/pecks/${encodeURIComponent(id)}`)
  const found = await findPeck(id)
  return { title: found === null ? 'Request' : actionTitle(found.peck.action), robots: { index: false } }
})

/** One peck with all its details, for the requester or the target. */
export default withProblemPage(async function PeckPage({ params, searchParams }: PeckProps) {
  const { id } = await params
  const viewer = await requireViewer(`/pecks/${encodeURIComponent(id)}`)
  const found = await findPeck(id)
  if (found === null) {
    answerNotFound()
    return <NotFoundPage />
  }
  const { peck } = found
  const { label, tone } = statusBadge(peck)
  return (
    <>
      <BackLink href="/pecks">Inbox</BackLink>
      <PageHead
        title={actionTitle(peck.action)}
        state={<Pill tone={tone}>{label}</Pill>}
        lead={<Parties peck={peck} viewerId={viewer.duckling_id} />}
      />
      {(await searchParams).repeated === undefined ? null : <RepeatedNotice />}
      <LiveStatus ducklingId={viewer.duckling_id} />
      <div className="mt-3 grid items-start gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-10">
          <Announcements>
            <PeckParts {...found} viewer={viewer} hasPasskey={await viewerHasPasskey()} />
          </Announcements>
        </div>
        <Section id="timeline" title="Timeline">
          <TimelineList {...found} now={readClock()} />
        </Section>
      </div>
    </>
  )
})

function RepeatedNotice() {
  return (
    <div className="mb-6">
      <Notice role="status">
        You already sent this request and it is still pending. Nothing new was sent.
      </Notice>
    </div>
  )
}

interface ForViewer extends PeckWithDetails {
  viewer: Viewer
  hasPasskey: boolean
}

function PeckParts(request: ForViewer) {
  const { peck, details, viewer } = request
  const isTarget = peck.target_duckling_id === viewer.duckling_id
  const isRequester = peck.requester.duckling_id === viewer.duckling_id
  return (
    <>
      <Card className="grid gap-6">
        <Requester {...request} viewerId={viewer.duckling_id} />
        <RequestFacts {...request} viewerId={viewer.duckling_id} />
        {isTarget ? <TargetFooter {...request} /> : null}
        {isRequester && peck.status === 'pending' ? (
          <RequesterFooter peck={peck} waitsFor={isTarget ? 'you' : peck.target_display_name} />
        ) : null}
      </Card>
      {peck.grant_token === undefined ? null : (
        <CopyBlock
          label="Grant token: show it to the service that you want to use"
          text={peck.grant_token}
          copyLabel="Copy token"
        />
      )}
      {peck.status === 'approved' ? <Permission {...request} isTarget={isTarget} /> : null}
      {isTarget && !isRequester && peck.status !== 'pending' ? (
        <div>
          <BlockForm requester={peck.requester} isBlocked={details.requester_blocked} />
        </div>
      ) : null}
    </>
  )
}

function TargetFooter(request: ForViewer) {
  const { peck } = request
  return (
    <footer className="border-t border-line pt-5">
      <PeckDecision {...request} isOnItsPage outcome={peck.status === 'pending' ? null : outcomeOf(peck)} />
    </footer>
  )
}

function RequesterFooter({ peck, waitsFor }: { peck: Peck; waitsFor: string }) {
  return (
    <footer className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
      <p className="text-sm text-soft">Waiting for {waitsFor} to answer.</p>
      <WithdrawForm peck={peck} />
    </footer>
  )
}

/** Returns the peck, or null when the viewer neither sent nor received it. Cached, because the page and its title both read it. */
const findPeck = cache(async (id: string): Promise<PeckWithDetails | null> => {
  const peck = await find('GET /beak/peck/status', { query: { peck_id: id } })
  if (peck === null) return null
  const [found] = await withDetails([peck])
  return found ?? null
})
