import type { Metadata } from 'next'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer } from '@/app/_web/viewer'
import { countWaiting } from '@/app/_web/waiting'
import { Duck } from '@/components/duck'
import { readClock } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { personName } from '@/lib/kernel/text/person-name'
import { LiveStatus } from '../pecks/_live/live-status'
import { AgentsOverview } from './_agents/agents-overview'
import { AlertList } from './alert-list'
import { alertsOf } from './alerts'
import { CertificateCard } from './certificate-card'
import {
  readActivity,
  readAgentsAndSessions,
  readCertificate,
  readRecentActivity,
  readWaiting,
} from './reads'
import { RecentActivity } from './recent-activity'
import { setupSteps } from './setup-step-list'
import { SetupSteps } from './setup-steps'
import { WaitingRequests } from './waiting-requests'

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
  const [pecks, count, hasPasskey, doing, { agents, sessions }, certificate, activity] = await Promise.all([
    readWaiting(),
    countWaiting(),
    viewerHasPasskey(),
    readActivity(),
    readAgentsAndSessions(),
    readCertificate(viewer),
    readRecentActivity(viewer),
  ])
  const isAllShown = (await searchParams).show === 'all'
  const now = readClock()
  const { duckling_id: id } = viewer
  const steps = setupSteps({ viewer, hasPasskey, hasAgent: doing.length > 0 })
  const next = steps.find(({ isDone }) => !isDone)
  // Until there is an agent, the steps lead to the first one. After that, they are for later.
  const leadsWithSteps = doing.length === 0 && pecks.length === 0
  const setup = <SetupSteps ducklingId={id} steps={steps} isFirst={leadsWithSteps} />
  return (
    <>
      <HomeHead id={id} name={personName(viewer)} count={count} />
      <div className="grid items-start gap-x-12 gap-y-12 lg:grid-cols-[minmax(0,1fr)_16rem]">
        <div className="grid min-w-0 gap-12">
          {pecks.length === 0 ? null : <WaitingRequests requests={pecks} viewerId={id} now={now} />}
          {leadsWithSteps ? setup : null}
          <AlertList alerts={alertsOf(agents, sessions, now)} now={now} isAllShown={isAllShown} />
          <AgentsOverview
            agents={doing}
            viewerId={id}
            now={now}
            isNextStep={leadsWithSteps && next?.name === 'Agent'}
            isAllShown={isAllShown}
          />
          <RecentActivity activity={activity} now={now} />
        </div>
        <div className="grid min-w-0 gap-12 max-lg:row-start-2">
          {certificate === null ? null : <CertificateCard certificate={certificate} ducklingId={id} />}
          {leadsWithSteps ? null : setup}
        </div>
      </div>
    </>
  )
})

function HomeHead({ id, name, count }: { id: string; name: string; count: string }) {
  return (
    <header className="mb-8 flex flex-wrap items-center gap-5">
      <Duck id={id} size={72} />
      <div className="min-w-0">
        <h1 className="wrap-anywhere">{name}</h1>
        <p className="mt-1 text-soft">{waitingWords(count)}</p>
      </div>
      <div className="ms-auto">
        <LiveStatus ducklingId={id} />
      </div>
    </header>
  )
}

/** Returns the number of waiting requests in words. `count` is a number, "1,000+" for a thousand and more, or empty for none. */
function waitingWords(count: string): string {
  if (count === '') return m.home_youre_all_caught_up()
  return count === '1' ? m.home_one_request_waiting() : m.home_requests_waiting({ count })
}
