import { isFreeText } from '@beak/decision/free-text'
import { visible } from '@beak/decision/visible'
import type { Metadata } from 'next'
import { cache } from 'react'
import { MissingPage } from '@/app/_shell/missing-page'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound, find } from '@/app/_web/page-read'
import { viewerApprover, viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer } from '@/app/_web/viewer'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { Announcements } from '@/components/ui/announcements'
import { BackLink } from '@/components/ui/back-link'
import { ButtonLink } from '@/components/ui/button'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Card, Notice, Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { chosenZone } from '@/components/ui/zone'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import { RuleNotices } from '../../rules/_rule/rule-notices'
import { heldOutcome, outcomeOf } from '../_decision/outcome'
import { RequestView, type RequestViewProps } from '../_decision/request-view'
import { BlockForm } from '../_forms/block-form'
import { LiftPauseForm } from '../_forms/lift-pause-form'
import { WithdrawForm } from '../_forms/revoke-form'
import { LiveStatus } from '../_live/live-status'
import { ownZone } from '../_peck/own-zone'
import { TargetName } from '../_peck/parties'
import { type Peck, type PeckWithDetails, type ShownPeck, withDetails } from '../_peck/reads'
import { statusBadge, targetName } from '../_peck/words'
import { Permission } from './permission'
import { Receipt } from './receipt'
import { type Moment, timeline } from './timeline'

/** The moments of a peck on a line. A future moment has a hollow dot. */
function TimelineList({ now, viewerId, ...peck }: PeckWithDetails & { now: Date; viewerId: string }) {
  const moments = timeline(peck, viewerId)
  return (
    <ol>
      {moments.map((moment, n) => (
        <TimelineItem key={moment.what} moment={moment} isLast={n === moments.length - 1} now={now} />
      ))}
    </ol>
  )
}

function TimelineItem({ moment, isLast, now }: { moment: Moment; isLast: boolean; now: Date }) {
  const { what, at, isAhead } = moment
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-4">
      <span className="grid grid-rows-[auto_1fr] justify-items-center" aria-hidden="true">
        <span
          className={`mt-1.5 size-3 rounded-full border-2 ${isAhead ? 'border-edge bg-ground' : 'border-good bg-good'}`}
        />
        {isLast ? null : <span className="w-0.5 grow bg-line" />}
      </span>
      <p className="pb-6 text-sm wrap-anywhere">
        <span className={isAhead ? 'text-soft' : 'font-semibold'}>
          <KeptText text={what} />
        </span>
        {at === null ? null : (
          <span className="block text-soft">
            <Time at={at} now={now} />, <Time at={at} />
          </span>
        )}
      </p>
    </li>
  )
}

interface PeckProps {
  params: Promise<{ id: string }>
  searchParams: Promise<{ repeated?: string; sent?: string }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: PeckProps): Promise<Metadata> {
  const { id } = await params
  const { duckling_id: viewerId } = await requireViewer(`/pecks/${encodeURIComponent(id)}`)
  const peck = (await findPeck(id))?.peck
  return {
    title: peck
      ? actionLabel(peck.action, peck.target_duckling_id === viewerId ? 'your' : 'the')
      : m.requests_request(),
    robots: { index: false },
  }
})

/** One peck with all its details, for the requester or the target. */
export default withProblemPage(async function PeckPage({ params, searchParams }: PeckProps) {
  const { id } = await params
  const viewer = await requireViewer(`/pecks/${encodeURIComponent(id)}`)
  const found = await findPeck(id)
  if (found === null) {
    answerNotFound()
    return <MissingPage kind="request" viewer={viewer} />
  }
  const { peck } = found
  const { label, tone } = statusBadge(peck)
  const { repeated, sent } = await searchParams
  const isSent = peck.target_duckling_id !== viewer.duckling_id
  const [hasPasskey, zone, now] = [await viewerHasPasskey(), await chosenZone(), readClock()]
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-x-4 lg:-mt-3 [&>p]:m-0!">
        <BackLink href={isSent ? '/pecks/sent' : '/pecks'}>
          {isSent ? m.requests_sent_requests() : m.requests_inbox()}
        </BackLink>
        <div className="ms-auto flex flex-wrap items-center gap-x-4">
          <LiveStatus ducklingId={viewer.duckling_id} />
          <Pill tone={tone}>{label}</Pill>
        </div>
      </div>
      {repeated === undefined ? null : <RepeatedNotice />}
      {sent === undefined || peck.status !== 'pending' ? null : <SentNotice peck={peck} />}
      <AnswerNotice peck={peck} viewerId={viewer.duckling_id} />
      <div
        className={`grid items-start gap-x-12 gap-y-10 ${peck.status === 'pending' ? 'max-w-4xl' : 'xl:grid-cols-[minmax(0,1fr)_15rem]'}`}
      >
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-8">
          <Announcements>
            <PeckParts
              {...found}
              viewer={{ ...viewer, ownZone: await ownZone(), approver: await viewerApprover() }}
              hasPasskey={hasPasskey}
              zone={zone}
              now={now}
            />
          </Announcements>
        </div>
        {peck.status === 'pending' ? (
          <details>
            <summary className="min-h-6 w-max max-w-full text-sm text-soft hover:text-ink">
              {m.requests_timeline()}
            </summary>
            <div className="mt-4">
              <TimelineList {...found} now={now} viewerId={viewer.duckling_id} />
            </div>
          </details>
        ) : (
          <Section id="timeline" title={m.requests_timeline()}>
            <TimelineList {...found} now={now} viewerId={viewer.duckling_id} />
          </Section>
        )}
      </div>
    </>
  )
})

/** The answer, for a person who asked. The target has it in the decision. */
function AnswerNotice({ peck, viewerId }: { peck: Peck; viewerId: string }) {
  const { status, requester, target_duckling_id: target, reason, superseded_by: next } = peck
  if (requester.duckling_id !== viewerId || target === viewerId || !isFreeText(peck.action)) return null
  if (next !== undefined || (status !== 'approved' && status !== 'rejected')) return null
  return (
    <div className="mb-6">
      <Notice tone={status === 'approved' ? 'good' : 'bad'} role="status">
        {status === 'approved' ? (
          <Sentence of={m.requests_answer_yes} with={{ name: targetName(peck) }} />
        ) : (
          <Sentence
            of={m.requests_answer_no}
            with={{ name: targetName(peck) }}
            parts={{ reason: () => <bdi translate="no">{visible(reason ?? '')}</bdi> }}
          />
        )}
      </Notice>
    </div>
  )
}

function SentNotice({ peck }: { peck: Peck }) {
  return (
    <div className="mb-6">
      <Notice tone="good" role="status">
        <Sentence of={m.requests_sent_notice} with={{ name: targetName(peck) }} />
      </Notice>
    </div>
  )
}

function RepeatedNotice() {
  return (
    <div className="mb-6">
      <Notice role="status">{m.requests_repeated_notice()}</Notice>
    </div>
  )
}

function PeckParts(request: RequestViewProps) {
  const { peck, details, viewer, now } = request
  const isTarget = peck.target_duckling_id === viewer.duckling_id
  const isRequester = peck.requester.duckling_id === viewer.duckling_id
  return (
    <>
      <UndoneNotice peck={peck} isTarget={isTarget} />
      <Card>
        <RequestView
          {...request}
          heading="h1"
          isOnItsPage
          note={isTarget && peck.status === 'pending' ? <RuleNotices peck={peck} /> : null}
          outcome={peck.status === 'pending' ? heldOutcome(peck, now) : outcomeOf(peck, now)}
        />
      </Card>
      {/* On a request of one's own agent, Reject does the same. */}
      {isRequester && !isTarget && peck.status === 'pending' ? <Waiting peck={peck} /> : null}
      {isRequester && !isTarget ? <AskAgain peck={peck} /> : null}
      {peck.grant_token === undefined ? null : (
        <CopyBlock
          label={m.requests_grant_token_label()}
          text={peck.grant_token}
          copyLabel={m.requests_copy_token()}
        />
      )}
      {peck.status === 'approved' ? (
        <Permission peck={peck} details={details} isTarget={isTarget} now={now} />
      ) : null}
      {peck.status === 'pending' ? null : <Receipt {...request} />}
      {isTarget && peck.status === 'rejected' ? (
        <div>
          <LiftPauseForm requester={peck.requester} />
        </div>
      ) : null}
      {isTarget && !isRequester && peck.status !== 'pending' ? (
        <div>
          <BlockForm requester={peck.requester} isBlocked={details.requester_blocked} />
        </div>
      ) : null}
    </>
  )
}

/** Links a request whose approval was undone and the one that took its place. The target has the link beside the outcome. */
function UndoneNotice({ peck: { supersedes, superseded_by }, isTarget }: { peck: Peck; isTarget: boolean }) {
  const other = supersedes ?? (isTarget ? undefined : superseded_by)
  if (other === undefined) return null
  return (
    <Notice>
      <Sentence
        of={supersedes === undefined ? m.requests_superseded : m.requests_supersedes}
        parts={{
          link: (children) => (
            <Link href={`/pecks/${other}`} className="underline">
              {children}
            </Link>
          ),
        }}
      />
    </Notice>
  )
}

/** After a request of a person ended without an answer. */
function AskAgain({ peck: { peck_id, status, action, requester, target_duckling_id } }: { peck: Peck }) {
  if (requester.agent_id !== undefined || (status !== 'expired' && status !== 'cancelled')) return null
  const query = new URLSearchParams(
    isFreeText(action) ? { again: peck_id } : { to: target_duckling_id, action },
  )
  return (
    <div>
      <ButtonLink href={`/pecks/new?${query}`}>{m.requests_ask_again()}</ButtonLink>
    </div>
  )
}

function Waiting({ peck }: { peck: Peck }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="text-sm text-soft">
        <Sentence
          of={m.requests_waiting_for_to_answer}
          parts={{ targetName: () => <TargetName peck={peck} /> }}
        />
      </p>
      <WithdrawForm peck={peck} />
    </div>
  )
}

/** Returns the peck, or null when the viewer neither sent nor received it. Cached, because the page and its title both read it. */
const findPeck = cache(async (id: string): Promise<ShownPeck | null> => {
  const peck = await find('GET /beak/peck/status', { query: { peck_id: id } })
  if (peck === null) return null
  const [found] = await withDetails([peck])
  return found ?? null
})
