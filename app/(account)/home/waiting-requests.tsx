import { Duck } from '@/components/duck'
import { ActionWords } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import { ReasonText, RiskMark } from '../pecks/_decision/risk-mark'
import { AskedYou } from '../pecks/_peck/parties'
import { ShortValue } from '../pecks/_values/value'
import type { readWaiting } from './reads'

type WaitingRequest = Awaited<ReturnType<typeof readWaiting>>[number]

interface WaitingRequestsProps {
  requests: WaitingRequest[]
  viewerId: string
  now: Date
}

/** The pending requests with the highest risk. Each links to its page, because a decision needs all its facts. */
export function WaitingRequests({ requests, viewerId, now }: WaitingRequestsProps) {
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" className="visually-hidden">
        {m.home_waiting_requests()}
      </h2>
      <ul className="overflow-hidden rounded-card border border-line bg-surface shadow-card">
        {requests.map((request) => (
          <RequestItem key={request.peck_id} request={request} viewerId={viewerId} now={now} />
        ))}
      </ul>
      <ButtonLink href="/pecks" kind="primary" className="mt-5">
        {m.home_open_inbox()}
      </ButtonLink>
    </section>
  )
}

interface RequestItemProps {
  request: WaitingRequest
  viewerId: string
  now: Date
}

function RequestItem({ request, viewerId, now }: RequestItemProps) {
  const { requester, risk_level: level, value } = request
  return (
    <li
      data-danger={level === 'high' || undefined}
      className="group/card border-t border-line first:border-t-0"
    >
      <Link
        href={`/pecks/${request.peck_id}`}
        className="group flex items-center gap-4 px-5 py-4 no-underline group-data-danger/card:border-s-6 group-data-danger/card:border-bad group-data-danger/card:bg-bad-wash hover:bg-sunken sm:px-6"
      >
        <Duck id={requester.agent_id ?? requester.duckling_id} size={48} />
        <span className="min-w-0 flex-1">
          <RequestTitle request={request} />
          {value === null ? null : (
            <span className="block text-sm font-medium wrap-anywhere">
              <ShortValue value={value} />
            </span>
          )}
          <span className="block text-sm text-soft wrap-anywhere">
            <AskedYou requester={requester} viewerId={viewerId} now={now} />
          </span>
        </span>
        <span className="text-end text-sm text-soft max-sm:hidden">
          <Sentence
            of={m.home_expires_at}
            parts={{ time: () => <Time at={request.expires_at} now={now} /> }}
          />
        </span>
      </Link>
    </li>
  )
}

interface TitleProps {
  request: Pick<WaitingRequest, 'action' | 'risk_level' | 'first_line'>
}

/** What to read first, then what is asked for and its risk. */
export function RequestTitle({ request: { action, risk_level: level, first_line: line } }: TitleProps) {
  return (
    <>
      {line === null ? null : (
        <span
          className={`block text-sm font-semibold wrap-anywhere ${level === 'high' ? 'text-bad' : 'text-soft'}`}
        >
          <span data-line>
            <ReasonText text={line.text} />
          </span>
        </span>
      )}
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-display text-lg font-semibold wrap-anywhere group-hover:underline">
          <ActionWords words={actionLabel(action)} />
        </span>
        <RiskMark level={level} isShape={level !== 'high'} />
      </span>
    </>
  )
}

/** With one or two items more, a "Show all" would hide less than it takes. */
const surplusMin = 3

/** Returns the first items of a long list, or the whole list when it has at most two more. */
export const shortened = <T,>(items: T[], first: number): T[] =>
  items.length < first + surplusMin ? items : items.slice(0, first)

interface ShowAllProps {
  isAllShown: boolean
  children: string
}

/** Leads to the page with the whole lists, or back. A link, so that the server renders only what is asked for, also without scripts. */
export function ShowAll({ isAllShown, children }: ShowAllProps) {
  return (
    <Link
      href={isAllShown ? '/home' : '/home?show=all'}
      scroll={false}
      className="inline-flex min-h-11 items-center text-sm font-semibold underline"
    >
      {isAllShown ? m.home_show_fewer() : children}
    </Link>
  )
}
