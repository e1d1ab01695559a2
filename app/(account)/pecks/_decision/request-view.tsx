import { freeTextValue } from '@beak/decision/free-text'
import { visible } from '@beak/decision/visible'
import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { Facts } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { shownExtent } from '@/lib/kernel/text/extent'
import { NameTag } from '../_peck/name-tag'
import { askerPath } from '../_peck/pages'
import type { Peck, PeckWithDetails, ShownPeck } from '../_peck/reads'
import { requesterName, targetName } from '../_peck/words'
import { ValueList } from '../_values/value-list'
import { AsBeforeLine } from './as-before-line'
import { Asker, AskerHistoryLine } from './asker'
import type { Outcome } from './outcome'
import { OutcomeScope, RequestSeal } from './outcome-scope'
import { type DecidingViewer, PeckDecision } from './peck-decision'
import {
  AudienceLine,
  ImitationWarning,
  MissingTextLine,
  NoveltyLines,
  SignatureLine,
  UnknownAction,
  UsedLine,
  VouchedLine,
} from './request-notes'
import { DangerBand, RiskReasons, RiskSummary } from './risk-mark'

/** The service's statement of the request, and what is signed: the IDs, the hash and the params as they were sent. */
function ExactStatement({ peck }: { peck: Peck }) {
  const { requester } = peck
  return (
    <details className="text-sm">
      <summary className="min-h-6 w-max max-w-full text-soft hover:text-ink">
        {m.decision_exact_statement()}
      </summary>
      <p translate="no" lang="en" className="mt-3 max-w-prose wrap-anywhere">
        {peck.summary}
      </p>
      <div translate="no" lang="en" className="mt-3 [&_dd]:font-mono [&_dd]:text-xs">
        <Facts
          facts={[
            { name: 'Action', value: peck.action },
            ...(peck.audience === undefined ? [] : [{ name: 'Service', value: peck.audience }]),
            ...(peck.challenge === undefined ? [] : [{ name: 'Challenge', value: peck.challenge }]),
            ...(peck.code_hash === undefined
              ? []
              : [{ name: 'Salted hash of the code', value: peck.code_hash }]),
            { name: 'Request', value: peck.peck_id },
            ...(requester.agent_id === undefined ? [] : [{ name: 'Agent', value: requester.agent_id }]),
            { name: 'From', value: requester.duckling_id },
            { name: 'To', value: peck.target_duckling_id },
            { name: 'Sent', value: peck.created_at },
            { name: 'Expires', value: peck.expires_at },
            { name: 'SHA-256 of the parameters', value: peck.params_hash },
            {
              name: 'Parameters',
              value: (
                <pre translate="no" className="whitespace-pre-wrap wrap-anywhere">
                  <bdi translate="no">{visible(JSON.stringify(peck.params, null, 2))}</bdi>
                </pre>
              ),
            },
          ]}
        />
      </div>
    </details>
  )
}

/** Whether the viewer asked, without an agent. */
const isOwnRequest = ({ requester }: Peck, viewerId: string) =>
  requester.duckling_id === viewerId && requester.agent_name === undefined

interface RequestSentenceProps extends ShownPeck {
  viewerId: string
}

/** The sentence of the service: "Scout wants to book a table, once, within 1 hour of the approval". */
function RequestSentence({ peck, details, words, viewerId }: RequestSentenceProps) {
  const { requester } = peck
  const values = {
    action: words.action,
    ...shownExtent({ action: peck.action, scope: peck.scope, grantSeconds: details.grant_seconds }),
  }
  const look = {
    light: (children: ReactNode) => <span className="font-normal">{children}</span>,
    strong: (children: ReactNode) => <strong className="font-[680]">{children}</strong>,
  }
  if (isOwnRequest(peck, viewerId))
    return (
      <Sentence
        of={m.decision_own_request_sentence}
        with={{ ...values, target: targetName(peck) }}
        parts={look}
      />
    )
  return (
    <Sentence
      of={peck.status === 'pending' ? m.decision_asker_wants_to : m.decision_asker_asked_to}
      with={values}
      parts={{
        ...look,
        asker: () => <NameTag requester={requester} href={askerPath(requester, viewerId)} />,
      }}
    />
  )
}

export interface RequestViewProps extends ShownPeck {
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
  /** Below the values: why the request waits although there are rules. */
  note?: ReactNode
  /** Below the facts, in place of the decision, for a viewer who is not the target. */
  children?: ReactNode
}

/**
 * A request with all facts and the decision. Needs only the answers of `GET /beak/peck/status` and `GET /beak/peck/details`, and the words about them, so it is
 * rendered on the server and in the browser alike. For a sender: the facts without risk, history and decision.
 */
export function RequestView({ outcome = null, children, ...request }: RequestViewProps) {
  const { peck, viewer } = request
  const isTarget = peck.target_duckling_id === viewer.duckling_id
  const danger = isTarget && peck.risk?.level === 'high' ? peck.risk : null
  return (
    <OutcomeScope
      known={outcome}
      peckId={peck.peck_id}
      duckId={peck.requester.agent_id ?? peck.requester.duckling_id}
    >
      {/* No grid: the bar of the decision sticks to the window only in a container that is as tall as the request. */}
      <div className="flex min-w-0 flex-col gap-5">
        {danger === null ? null : (
          <DangerBand
            id={bandId(peck)}
            line={request.details.first_line}
            isPending={peck.status === 'pending'}
          />
        )}
        <RequestHead {...request} isHigh={danger !== null} />
        <RequestFacts {...request} isTarget={isTarget} />
        {isTarget ? <PeckDecision {...request} /> : null}
        {children}
      </div>
    </OutcomeScope>
  )
}

const bandId = (peck: PeckWithDetails['peck']) => `danger-${peck.peck_id}`

function RequestHead(request: RequestViewProps & { isHigh: boolean }) {
  const { peck, details, viewer, isHigh, heading: Heading = 'h2' } = request
  const words = freeTextValue(peck.action, details.display.values)
  const isTarget = peck.target_duckling_id === viewer.duckling_id
  return (
    <header className="flex items-start gap-4 sm:gap-6">
      <div className="max-sm:hidden">
        <RequestSeal />
      </div>
      <div className="min-w-0">
        <Heading
          id={`request-${peck.peck_id}`}
          tabIndex={-1}
          aria-describedby={isHigh ? bandId(peck) : undefined}
          className="font-sans! text-lg! leading-snug! tracking-normal! wrap-anywhere sm:text-xl!"
        >
          <RequestSentence {...request} viewerId={viewer.duckling_id} />
        </Heading>
        {words === undefined ? null : (
          <div className="my-3 grid gap-3">
            {isTarget && details.imitates_service.includes('params') ? <ImitationWarning /> : null}
            <OwnWords text={words.text} />
          </div>
        )}
        <Asker {...request} />
        <UnknownAction {...request} />
      </div>
    </header>
  )
}

function RequestFacts(request: RequestViewProps & { isTarget: boolean }) {
  const { peck, details, viewer, now, zone, isTarget } = request
  const history = isTarget && peck.status === 'pending' ? details.asker_history : null
  const risk = isTarget ? peck.risk : undefined
  const isOwn = peck.requester.duckling_id === peck.target_duckling_id
  const isNew = risk?.novelty.some(({ rule }) => rule === 'first_time_asker') === true
  const words = freeTextValue(peck.action, details.display.values)
  const listed = { ...details, display: without(details.display, words) }
  const imitates = isTarget ? details.imitates_service : []
  const parameters = `parameters-${peck.peck_id}`
  return (
    <>
      {risk === undefined || risk.level === 'high' ? null : (
        <RiskSummary level={risk.level} line={details.first_line} />
      )}
      {words !== undefined && listed.display.values.length === 0 ? null : (
        <section aria-labelledby={parameters} className="grid gap-3">
          <p id={parameters} className="text-xs text-soft wrap-anywhere">
            {isOwnRequest(peck, viewer.duckling_id) ? (
              m.decision_details_in_your_words()
            ) : (
              <Sentence
                of={m.decision_details_in_the_words_of_requester}
                with={{ requester: requesterName(peck.requester) }}
              />
            )}
          </p>
          {words === undefined && imitates.includes('params') ? <ImitationWarning /> : null}
          <ValueList peck={peck} details={listed} zone={zone} comparesWithLast={history !== null} />
          <MissingTextLine peck={peck} />
        </section>
      )}
      {peck.message ? <RequesterMessage text={peck.message} imitates={imitates.includes('message')} /> : null}
      {/* The page of a rule gives its notices a margin. */}
      <div className="grid gap-3 empty:hidden [&>*]:mb-0!">{request.note}</div>
      <div className="grid gap-2">
        {peck.audience === undefined ? null : <AudienceLine audience={peck.audience} />}
        {peck.require === undefined ? null : <SignatureLine />}
        {isTarget && !isOwn ? <VouchedLine peck={peck} details={details} zone={zone} /> : null}
        {risk === undefined ? null : <NoveltyLines novelty={otherNews(risk.novelty, details)} />}
        {/* The first contact says the same in other words. */}
        {history === null || (isNew && history.asked <= 1) ? null : (
          <AskerHistoryLine history={history} now={now} zone={zone} />
        )}
        <AsBeforeLine asBefore={details.as_before} now={now} zone={zone} />
        {history === null ? null : <UsedLine used={history.used} now={now} zone={zone} />}
        {risk === undefined ? null : (
          <RiskReasons peck={peck} risk={risk} line={details.first_line} isKnown={request.words.isKnown} />
        )}
        <ExactStatement peck={peck} />
      </div>
    </>
  )
}

type Display = PeckWithDetails['details']['display']

const without = (display: Display, left: Display['values'][number] | undefined): Display =>
  left === undefined
    ? display
    : // The amount has its currency in its text.
      {
        ...display,
        values: display.values.filter((value) => value !== left && value.name !== 'currency'),
      }

/** The words of the asker, as a quotation without links. */
function OwnWords({ text }: { text: string }) {
  return (
    <blockquote className="border-s-4 border-line ps-4 text-xl wrap-anywhere">
      <Sentence
        of={m.decision_own_words}
        parts={{ words: () => <bdi translate="no">{visible(text)}</bdi> }}
      />
    </blockquote>
  )
}

function RequesterMessage({ text, imitates }: { text: string; imitates: boolean }) {
  return (
    <figure className="grid gap-2 rounded-control bg-sunken px-4 py-3">
      {imitates ? <ImitationWarning /> : null}
      <figcaption className="text-xs text-soft">
        {m.decision_message_from_the_requester_not_verified()}
      </figcaption>
      <blockquote className="whitespace-pre-wrap wrap-anywhere">
        <bdi translate="no">{visible(text)}</bdi>
      </blockquote>
    </figure>
  )
}

/** What was new when the request was sent, without the first line. Something of the asker may have been approved since. */
function otherNews(
  novelty: NonNullable<Peck['risk']>['novelty'],
  { first_contact, first_line }: PeckWithDetails['details'],
) {
  return novelty.filter(
    ({ rule }) =>
      // The line about who vouches says it with the name of the link.
      rule !== 'invited' &&
      rule !== first_line?.rule &&
      (rule !== 'first_time_asker' || first_contact === true),
  )
}
