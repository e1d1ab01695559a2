import { Duck } from '@/components/duck'
import { ActionWords } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { chosenZone } from '@/components/ui/zone'
import { m } from '@/lib/kernel/messages'
import { ReasonText, RiskMark } from '../pecks/_decision/risk-mark'
import { rowOf } from '../pecks/_inbox/make-row'
import type { InboxRow } from '../pecks/_inbox/rows'
import { AskedYou } from '../pecks/_peck/parties'
import type { readWaiting } from './reads'

type Waiting = Awaited<ReturnType<typeof readWaiting>>
type WaitingRequest = Waiting['requests'][number]

interface WaitingRequestsProps extends Waiting {
  viewerId: string
  now: Date
}

/**
 * The pending requests of known askers with the highest risk. Each links to its page, because a decision needs all its facts. Strangers are one
 * line below.
 */
export function WaitingRequests({ requests, unknown, viewerId, now }: WaitingRequestsProps) {
  const strangers = unknown.pecks === 0 ? null : <Strangers unknown={unknown} />
  if (requests.length === 0) return strangers
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
      {strangers}
    </section>
  )
}

function Strangers({ unknown: { people, pecks } }: Pick<Waiting, 'unknown'>) {
  return (
    <p className="mt-3 text-sm">
      <Link href="/pecks?list=unknown" className="inline-flex min-h-11 items-center underline">
        {m.home_people_you_dont_know({ people, pecks })}
      </Link>
    </p>
  )
}

interface RequestItemProps {
  request: WaitingRequest
  viewerId: string
  now: Date
}

async function RequestItem({ request, viewerId, now }: RequestItemProps) {
  const { requester, risk_level: level } = request
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
          <RequestText row={rowOf(request, viewerId, await chosenZone())} />
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

/** What is asked for with its risk and its values, then the reason of the risk. */
export function RequestText({ row }: { row: InboxRow }) {
  const { words, risk, value, more, reason } = row
  const values = value === null ? more : [value, ...more]
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-display text-lg font-semibold wrap-anywhere group-hover:underline">
          <ActionWords words={words} />
        </span>
        <RiskMark level={risk} isShape={risk !== 'high'} />
      </span>
      {values.length === 0 ? null : (
        <bdi translate="no" className="block text-sm font-medium wrap-anywhere">
          {values.join(' · ')}
        </bdi>
      )}
      {reason === null ? null : (
        <span
          className={`block text-sm wrap-anywhere ${risk === 'high' ? 'font-semibold text-bad' : 'text-soft'}`}
        >
          <span data-line>
            <ReasonText text={reason} />
          </span>
        </span>
      )}
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
