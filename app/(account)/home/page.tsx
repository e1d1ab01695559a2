import { personName } from '@beak/decision/person-name'
import { quotedName } from '@beak/decision/quote'
import { CircleAlert, KeyRound, LogIn } from 'lucide'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { findPending, viewerHasPasskey } from '@/app/_web/passkeys'
import { countWaiting, requireViewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Notice, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { EventSentence } from '../audit/_events/event-sentence'
import { OtherDevice } from '../audit/_events/other-device'
import { LiveStatus } from '../pecks/_live/live-status'
import { AgentsOverview } from './_agents/agents-overview'
import { type Alert, alertsOf } from './alerts'
import { CertificateCard } from './certificate-card'
import { OwnQuestions } from './own-questions'
import {
  askedAbout,
  hasDecided,
  readActivity,
  readAgentsAndSessions,
  readCertificate,
  readOwnQuestions,
  readRecentActivity,
  readWaiting,
} from './reads'
import { SetupSteps, setupSteps } from './setup-steps'
import { ShowAll, shortened, WaitingRequests } from './waiting-requests'

const icons = { bad: CircleAlert, warn: KeyRound, neutral: LogIn }
const inks = { bad: 'text-bad', warn: 'text-warn', neutral: 'text-soft' }

/** How many alerts the page shows, unless all are asked for. */
const shownAtFirst = 5

interface AlertListProps {
  alerts: Alert[]
  now: Date
  isAllShown: boolean
}

function AlertList({ alerts, now, isAllShown }: AlertListProps) {
  if (alerts.length === 0) return null
  const few = shortened(alerts, shownAtFirst)
  return (
    <section aria-labelledby="alerts">
      <h2 id="alerts">{m.home_needs_attention()}</h2>
      <ul className="mt-3">
        {(isAllShown ? alerts : few).map((alert) => (
          <AlertItem key={alert.id} alert={alert} now={now} />
        ))}
      </ul>
      {few.length === alerts.length ? null : (
        <ShowAll isAllShown={isAllShown}>{m.home_show_all_count_alerts({ count: alerts.length })}</ShowAll>
      )}
    </section>
  )
}

function AlertItem({
  alert: { tone, name, text, at, isSince, href, action },
  now,
}: {
  alert: Alert
  now: Date
}) {
  return (
    <li className="flex gap-4 border-t border-line py-4 first:border-t-0">
      <Icon of={icons[tone]} size={20} className={`mt-0.5 shrink-0 ${inks[tone]}`} />
      <p className="min-w-0 text-sm wrap-anywhere">
        {name === undefined ? null : (
          <bdi translate="no" className="font-semibold">
            {quotedName(name)}
          </bdi>
        )}
        <KeptText text={text} />
        {at === null ? null : <> {isSince ? <Time at={at} /> : <Time at={at} now={now} />}.</>}{' '}
        <Link href={href} className="underline">
          {action}
        </Link>
      </p>
    </li>
  )
}

interface RecentActivityProps {
  activity: Awaited<ReturnType<typeof readRecentActivity>>
  /** The User-Agent of this browser. */
  userAgent: string | null
  now: Date
}

/** The latest events of the audit log, in sentences. */
function RecentActivity({ activity: { events, reader }, userAgent, now }: RecentActivityProps) {
  if (events.length === 0) return null
  return (
    <section aria-labelledby="recent">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="recent">{m.home_recent_activity()}</h2>
        <Link href="/audit" className="inline-flex min-h-6 items-center text-sm underline">
          {m.home_view_all_activity()}
        </Link>
      </div>
      <ul className="mt-3 text-sm">
        {events.map((event) => (
          <li
            key={event.event_id}
            className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line py-3 first:border-t-0"
          >
            <span className="min-w-0 flex-1 basis-64 wrap-anywhere">
              <EventSentence event={event} reader={reader} />{' '}
              {event.outcome === 'denied' ? <Pill tone="bad">{m.home_refused()}</Pill> : null}
              <OtherDevice event={event} reader={reader} userAgent={userAgent} />
            </span>
            <span className="text-soft">
              <Time at={event.occurred_at} now={now} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface HomeProps {
  searchParams: Promise<{ show?: string | string[] }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata(): Promise<Metadata> {
  await requireViewer('/home')
  const count = await countWaiting()
  return { title: count === '' ? m.home_home() : m.home_count_home({ count }), robots: { index: false } }
})

/** Waiting requests, alerts, what each agent is doing, the next setup step and recent activity. */
export default withProblemPage(async function HomePage({ searchParams }: HomeProps) {
  const viewer = await requireViewer('/home')
  const [waiting, count, hasPasskey, doing, { agents, sessions }, certificate, activity, asked] =
    await Promise.all([
      readWaiting(),
      countWaiting(),
      viewerHasPasskey(),
      readActivity(),
      readAgentsAndSessions(),
      readCertificate(viewer),
      readRecentActivity(viewer),
      readOwnQuestions(),
    ])
  const isAllShown = (await searchParams).show === 'all'
  const now = readClock()
  const userAgent = (await headers()).get('user-agent')
  const isAlarmed = (await findPending()).asked.changes.length > 0
  const alerts = alertsOf(agents, sessions, now, await askedAbout())
  const { duckling_id: id } = viewer
  const silent = doing.find(
    ({ status, peck }) => status === 'bonded' && (peck === null || peck.status === 'pending'),
  )
  const steps = setupSteps({
    viewer,
    hasPasskey,
    silentAgent: silent?.agent_id ?? null,
    hasDecided: await hasDecided(doing),
  })
  const next = steps.find(({ isDone }) => !isDone)
  // Until there is an agent, the steps lead to the first one. After that, they are for later.
  const leadsWithSteps = doing.length === 0 && waiting.requests.length + waiting.unknown.pecks === 0
  const setup = <SetupSteps ducklingId={id} steps={steps} isFirst={leadsWithSteps} />
  return (
    <>
      <HomeHead
        id={id}
        name={personName(viewer)}
        words={waitingWords(count, waiting.unknown.pecks, isAlarmed)}
      />
      <div className="grid items-start gap-x-12 gap-y-12 lg:grid-cols-[minmax(0,1fr)_16rem]">
        <div className="grid min-w-0 gap-12">
          <ConnectedNotice agents={agents} doing={doing} />
          <OwnQuestions pecks={asked} />
          <WaitingRequests {...waiting} viewerId={id} now={now} />
          {leadsWithSteps ? setup : null}
          <AlertList alerts={alerts} now={now} isAllShown={isAllShown} />
          <AgentsOverview
            agents={doing}
            viewerId={id}
            now={now}
            isNextStep={leadsWithSteps && next?.name === m.home_step_agent_name()}
            isAllShown={isAllShown}
          />
          <RecentActivity activity={activity} userAgent={userAgent} now={now} />
        </div>
        <div className="grid min-w-0 gap-12 max-lg:row-start-2">
          {certificate === null ? null : <CertificateCard certificate={certificate} ducklingId={id} />}
          {leadsWithSteps ? null : setup}
        </div>
      </div>
    </>
  )
})

interface ConnectedNoticeProps {
  agents: Awaited<ReturnType<typeof readAgentsAndSessions>>['agents']
  doing: Awaited<ReturnType<typeof readActivity>>
}

/** Leads on from a program that was let in and has never asked. */
function ConnectedNotice({ agents, doing }: ConnectedNoticeProps) {
  const connected = new Set(
    agents.flatMap(({ agent_id, connection }) =>
      connection === null || connection.ended_at !== null ? [] : [agent_id],
    ),
  )
  const silent = doing.find(({ agent_id, peck }) => peck === null && connected.has(agent_id))
  if (silent === undefined) return null
  return (
    <Notice>
      <Sentence
        of={m.home_agent_is_connected}
        with={{ name: quotedName(silent.agent_name) }}
        parts={{
          link: (children) => (
            <Link
              href={`/connect/first/${silent.agent_id}`}
              className="inline-block py-1 font-semibold text-ink underline"
            >
              {children}
            </Link>
          ),
        }}
      />
    </Notice>
  )
}

function HomeHead({ id, name, words }: { id: string; name: string; words: string }) {
  return (
    <header className="mb-8 flex flex-wrap items-center gap-5">
      <Duck id={id} size={72} />
      <div className="min-w-0">
        <h1 translate="no" className="wrap-anywhere">
          {name}
        </h1>
        <p className="mt-1 text-soft">{words}</p>
      </div>
      <div className="ms-auto">
        <LiveStatus ducklingId={id} />
      </div>
    </header>
  )
}

/**
 * Returns the number of waiting requests of known askers in words. `count` is a number, "1,000+" for a thousand and more, or empty for none. Strangers
 * have a line of their own. `isAlarmed`: the band asks about changes of another device.
 */
function waitingWords(count: string, ofStrangers: number, isAlarmed: boolean): string {
  if (count === '' && ofStrangers === 0)
    return isAlarmed ? m.home_no_requests_waiting() : m.home_youre_all_caught_up()
  if (count === '') return m.home_no_requests_of_known()
  return count === '1' ? m.home_one_request_waiting() : m.home_requests_waiting({ count })
}
