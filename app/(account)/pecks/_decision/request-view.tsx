import type { ReactNode } from 'react'
import { visible } from '@/lib/kernel/text/visible'
import type { PeckWithDetails } from '../_peck/reads'
import { requesterName } from '../_peck/words'
import { ValueList } from '../_values/value-list'
import { Asker } from './asker'
import { AskerHistoryLine } from './asker-history'
import { ExactStatement } from './exact-statement'
import type { Outcome } from './outcome'
import { OutcomeScope, RequestSeal } from './outcome-scope'
import { type DecidingViewer, PeckDecision } from './peck-decision'
import { RequestSentence } from './request-sentence'
import { RiskReasons, RiskSummary } from './risk-reasons'

export interface RequestViewProps extends PeckWithDetails {
  viewer: DecidingViewer
  hasPasskey: boolean
  now: Date
  /** The time zone of the viewer. Null: unknown. */
  zone: string | null
  /** The level of the heading. */
  heading?: 'h1' | 'h2'
  /** The outcome that the server already knows. */
  outcome?: Outcome | null
  /** The page of this request needs no link to itself. */
  isOnItsPage?: boolean
  /** Below the facts, in place of the decision, for a viewer who is not the target. */
  children?: ReactNode
}

/**
 * A request with all facts and the decision. Needs only the answers of `GET /beak/peck/status` and `GET /beak/peck/details`, so it is
 * rendered on the server and in the browser alike. For a sender: the facts without risk, history and decision.
 */
export function RequestView({ outcome = null, children, ...request }: RequestViewProps) {
  const { peck, viewer } = request
  const isTarget = peck.target_duckling_id === viewer.duckling_id
  return (
    <OutcomeScope
      known={outcome}
      peckId={peck.peck_id}
      duckId={peck.requester.agent_id ?? peck.requester.duckling_id}
    >
      {/* No grid: the bar of the decision sticks to the window only in a container that is as tall as the request. */}
      <div className="flex min-w-0 flex-col gap-5">
        <RequestHead {...request} />
        <RequestFacts {...request} isTarget={isTarget} />
        {isTarget ? <PeckDecision {...request} /> : null}
        {children}
      </div>
    </OutcomeScope>
  )
}

function RequestHead(request: RequestViewProps) {
  const { peck, viewer, heading: Heading = 'h2' } = request
  return (
    <header className="flex items-start gap-4 sm:gap-6">
      <div className="max-sm:hidden">
        <RequestSeal />
      </div>
      <div className="min-w-0">
        <Heading
          id={`request-${peck.peck_id}`}
          tabIndex={-1}
          className="font-sans! text-lg! leading-snug! tracking-normal! wrap-anywhere sm:text-xl!"
        >
          <RequestSentence {...request} viewerId={viewer.duckling_id} />
        </Heading>
        <Asker {...request} />
      </div>
    </header>
  )
}

function RequestFacts(request: RequestViewProps & { isTarget: boolean }) {
  const { peck, details, now, zone, isTarget } = request
  const history = isTarget && peck.status === 'pending' ? details.asker_history : null
  const risk = isTarget ? peck.risk : undefined
  const parameters = `parameters-${peck.peck_id}`
  return (
    <>
      {risk === undefined ? null : <RiskSummary risk={risk} />}
      {peck.audience === undefined ? null : (
        <p className="wrap-anywhere">
          For the service <code>{visible(peck.audience)}</code> (named by the requester)
        </p>
      )}
      <section aria-labelledby={parameters} className="grid gap-3">
        <p id={parameters} className="text-xs text-soft wrap-anywhere">
          Parameters, as <bdi>{requesterName(peck.requester)}</bdi> wrote them
        </p>
        <ValueList peck={peck} details={details} zone={zone} comparesWithLast={history !== null} />
      </section>
      {peck.message ? <RequesterMessage text={peck.message} /> : null}
      <div className="grid gap-2">
        {history === null ? null : <AskerHistoryLine history={history} now={now} zone={zone} />}
        {risk === undefined ? null : <RiskReasons risk={risk} />}
        <ExactStatement peck={peck} />
      </div>
    </>
  )
}

function RequesterMessage({ text }: { text: string }) {
  return (
    <figure className="rounded-control bg-sunken px-4 py-3">
      <figcaption className="text-xs text-soft">Message from the requester (not verified)</figcaption>
      <blockquote className="mt-1 whitespace-pre-wrap wrap-anywhere">
        <bdi>{visible(text)}</bdi>
      </blockquote>
    </figure>
  )
}
