import type { Metadata } from 'next'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer } from '@/app/_web/viewer'
import { countWaiting } from '@/app/_web/waiting'
import { Duck } from '@/components/duck'
import { withProblemPage, withProblemTitle } from '@/components/problem-page'
import { readClock } from '@/lib/kernel/clock'
import { LiveStatus } from '../pecks/_live/live-status'
import { AlertList } from './alert-list'
import { keyAlerts, signInAlerts } from './alerts'
import { CertificateCard } from './certificate-card'
import { readAgentsAndSessions, readCertificate, readRecentActivity, readWaiting } from './reads'
import { RecentActivity } from './recent-activity'
import { SetupSteps, setupSteps } from './setup-steps'
import { WaitingRequests } from './waiting-requests'

export const generateMetadata = withProblemTitle(async function generateMetadata(): Promise<Metadata> {
  await requireViewer('/home')
  const count = await countWaiting()
  return { title: count === '' ? 'Home' : `(${count}) Home`, robots: { index: false } }
})

/** Waiting requests, the next setup step, alerts and recent activity. */
export default withProblemPage(async function HomePage() {
  const viewer = await requireViewer('/home')
  const [pecks, count, hasPasskey, { agents, sessions }, certificate, activity] = await Promise.all([
    readWaiting(),
    countWaiting(),
    viewerHasPasskey(),
    readAgentsAndSessions(),
    readCertificate(viewer),
    readRecentActivity(viewer),
  ])
  const now = readClock()
  const { duckling_id: id, display_name: name } = viewer
  return (
    <>
      <HomeHead id={id} name={name} count={count} />
      <div className="grid items-start gap-x-12 gap-y-12 lg:grid-cols-[minmax(0,1fr)_16rem]">
        <div className="grid gap-12">
          {pecks.length === 0 ? null : <WaitingRequests pecks={pecks} viewerId={id} now={now} />}
          <SetupSteps
            ducklingId={id}
            steps={setupSteps(viewer, hasPasskey, agents.length > 0)}
            isFirst={pecks.length === 0}
          />
          <AlertList alerts={[...keyAlerts(agents, now), ...signInAlerts(sessions, now)]} now={now} />
          <RecentActivity activity={activity} now={now} />
        </div>
        {certificate === null ? null : <CertificateCard certificate={certificate} ducklingId={id} />}
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

/** Returns the number of waiting requests in words. `count` is a number, "9+" for more than nine, or empty for none. */
function waitingWords(count: string): string {
  if (count === '') return "You're all caught up."
  if (count.endsWith('+')) return `More than ${count.slice(0, -1)} requests waiting`
  return count === '1' ? '1 request waiting' : `${count} requests waiting`
}
