import { CircleAlert, KeyRound, LogIn } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer } from '@/app/_web/viewer'
import { countWaiting } from '@/app/_web/waiting'
import { Duck } from '@/components/duck'
import { withProblemPage, withProblemTitle } from '@/components/problem-page'
import { Time } from '@/components/ui/time'
import { readClock } from '@/lib/kernel/clock'
import { quotable } from '@/lib/kernel/quote'
import { Live } from '../pecks/live'
import { readWaiting } from '../pecks/reads'
import { type Alert, keyAlerts, signInAlerts } from './alerts'
import { Miniature } from './miniature'
import { readCertificate, readStanding } from './reads'
import { Recent, readRecent } from './recent'
import { Waiting } from './waiting'
import { stones, Way } from './way'

const shownMost = 3

export const generateMetadata = withProblemTitle(async function generateMetadata(): Promise<Metadata> {
  await requireViewer('/home')
  const waiting = await countWaiting()
  return { title: waiting === '' ? 'Home' : `(${waiting}) Home`, robots: { index: false } }
})

/** What waits, what is missing, what is worth a look: in this order, and calm where there is nothing. */
export default withProblemPage(async function HomePage() {
  const viewer = await requireViewer('/home')
  const [waiting, count, withPasskey, standing, certificate, recent] = await Promise.all([
    readWaiting('', shownMost),
    countWaiting(),
    viewerHasPasskey(),
    readStanding(),
    readCertificate(viewer),
    readRecent(viewer),
  ])
  const now = readClock()
  const { agents, sessions } = standing
  const alerts = [...keyAlerts(agents, now), ...signInAlerts(sessions, now)]
  const pecks = waiting.items.map(({ peck }) => peck)
  return (
    <>
      <header className="mb-8 flex flex-wrap items-center gap-5">
        <Duck id={viewer.duckling_id} size={72} />
        <div className="min-w-0">
          <h1 className="wrap-anywhere">{viewer.display_name}</h1>
          <p className="mt-1 text-soft">{waitingWords(count)}</p>
        </div>
        <div className="ms-auto">
          <Live ducklingId={viewer.duckling_id} />
        </div>
      </header>
      <div className="grid items-start gap-x-12 gap-y-12 lg:grid-cols-[minmax(0,1fr)_16rem]">
        <div className="grid gap-12">
          {pecks.length === 0 ? null : (
            <Waiting pecks={pecks} more={waiting.next !== null} viewerId={viewer.duckling_id} now={now} />
          )}
          <Way
            ducklingId={viewer.duckling_id}
            way={stones(viewer, withPasskey, agents.length > 0)}
            isFirst={pecks.length === 0}
          />
          {alerts.length === 0 ? null : <Alerts alerts={alerts} now={now} />}
          <Recent recent={recent} now={now} />
        </div>
        {certificate === null ? null : (
          <Miniature certificate={certificate} ducklingId={viewer.duckling_id} />
        )}
      </div>
    </>
  )
})

function waitingWords(count: string): string {
  if (count === '') return 'Nothing waits for you.'
  return count === '1' ? 'One request waits for you.' : `${count} requests wait for you.`
}

const icons = { bad: CircleAlert, warn: KeyRound, neutral: LogIn }
const inks = { bad: 'text-bad', warn: 'text-warn', neutral: 'text-soft' }

function Alerts({ alerts, now }: { alerts: Alert[]; now: Date }) {
  return (
    <section aria-labelledby="look">
      <h2 id="look">Worth a look</h2>
      <ul className="mt-3">
        {alerts.map(({ id, tone, name, text, at, href, action }) => {
          const Icon = icons[tone]
          return (
            <li key={id} className="flex gap-4 border-t border-line py-4 first:border-t-0">
              <Icon aria-hidden="true" size={20} className={`mt-0.5 shrink-0 ${inks[tone]}`} />
              <p className="min-w-0 text-sm wrap-anywhere">
                {name === undefined ? null : <bdi className="font-semibold">“{quotable(name)}”</bdi>}
                {text}
                {at === null ? null : (
                  <>
                    {', '}
                    <Time at={at} now={now} />.
                  </>
                )}{' '}
                <Link href={href} className="underline">
                  {action}
                </Link>
                .
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
