import type { Metadata } from 'next'
import { MissingPage } from '@/app/_shell/missing-page'
import { withProblemPage } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/page-read'
import { viewerApprover, viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { Bond } from '@/components/bond'
import { Refresh } from '@/components/refresh'
import { Sentence } from '@/components/sentence'
import { Announcements } from '@/components/ui/announcements'
import { ButtonLink } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Card } from '@/components/ui/surface'
import { chosenZone } from '@/components/ui/zone'
import { m } from '@/lib/kernel/messages'
import { hour, readClock } from '@/lib/kernel/runtime/clock'
import { readActivity } from '../../../home/reads'
import { heldOutcome, outcomeOf } from '../../../pecks/_decision/outcome'
import { RequestView } from '../../../pecks/_decision/request-view'
import { LiveStatus } from '../../../pecks/_live/live-status'
import { ownZone } from '../../../pecks/_peck/own-zone'
import { readPecks, type ShownPeck } from '../../../pecks/_peck/reads'

export const generateMetadata = (): Metadata => ({
  title: m.first_what_to_say(),
  robots: { index: false },
})

interface PageProps {
  params: Promise<{ agent: string }>
}

/** What to say to an agent that was just let in. Its request appears here, and is decided here. */
export default withProblemPage(async function FirstRequestPage({ params }: PageProps) {
  const { agent: id } = await params
  const viewer = await requireViewer(`/connect/first/${encodeURIComponent(id)}`)
  const agent = (await readActivity()).find(({ agent_id }) => agent_id === id)
  if (agent === undefined) {
    answerNotFound()
    return <MissingPage kind="agent" viewer={viewer} />
  }
  const { agent_name: name, status, peck } = agent
  const isConnected = status !== 'registered'
  const now = readClock()
  const shown = peck !== null && isCurrent(peck, now) ? await readRequest(peck.peck_id) : null
  return (
    <div className="grid max-w-2xl gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        {shown === null ? (
          <Bond operatorId={viewer.duckling_id} agentId={id} state={status} size={64} />
        ) : null}
        <LiveStatus ducklingId={viewer.duckling_id} />
      </div>
      {shown === null ? (
        <div role="status">
          <h1 className="wrap-anywhere">
            <Sentence of={isConnected ? m.first_connected : m.first_allowed} with={{ name }} />
          </h1>
          {isConnected ? null : (
            <p className="mt-2 text-soft">
              <Sentence
                of={m.first_allowed_lead}
                parts={{
                  link: (children) => (
                    <Link href={`/agents/manage/${id}/connect`} className="underline">
                      {children}
                    </Link>
                  ),
                }}
              />
            </p>
          )}
        </div>
      ) : (
        <Request request={shown} viewer={viewer} now={now} />
      )}
      {isConnected ? null : <Refresh />}
      {peck === null ? <WhatToSay email={viewer.email ?? ''} isConnected={isConnected} /> : null}
      {peck === null || peck.status === 'pending' ? null : (
        <p className="flex flex-wrap items-center gap-4">
          {m.first_decided()} <ButtonLink href="/home">{m.first_home()}</ButtonLink>
        </p>
      )}
    </div>
  )
})

type Asked = NonNullable<Awaited<ReturnType<typeof readActivity>>[number]['peck']>

/** Whether a request waits or was just decided. The page of an agent that comes back does not begin with what it asked long ago. */
const isCurrent = ({ status, changed_at }: Asked, now: Date) =>
  status === 'pending' || now.getTime() - Date.parse(changed_at) < hour * 1000

/** Returns the request when the viewer is asked, or null. */
async function readRequest(id: string): Promise<ShownPeck | null> {
  const { items } = await readPecks({ peck_ids: id, direction: 'received', limit: '1' })
  return items[0] ?? null
}

function WhatToSay({ email, isConnected }: { email: string; isConnected: boolean }) {
  return (
    <div className="grid gap-4">
      <Card className="grid justify-items-start gap-4">
        <p className="font-semibold">{isConnected ? m.first_say() : m.first_say_once_connected()}</p>
        <p className="text-lg wrap-anywhere">
          <Sentence of={m.first_example} with={{ email }} />
        </p>
        <CopyButton text={m.first_example({ email })} />
      </Card>
      <p className="flex flex-wrap items-center gap-4 text-soft">
        {m.first_here()} <ButtonLink href="/home">{m.first_home()}</ButtonLink>
      </p>
    </div>
  )
}

/** The request with its decision, and afterwards what came of it. */
async function Request({ request, viewer, now }: { request: ShownPeck; viewer: Viewer; now: Date }) {
  const { peck } = request
  return (
    <Announcements>
      <Card>
        <RequestView
          {...request}
          heading="h1"
          viewer={{ ...viewer, ownZone: await ownZone(), approver: await viewerApprover() }}
          hasPasskey={await viewerHasPasskey()}
          zone={await chosenZone()}
          now={now}
          outcome={peck.status === 'pending' ? heldOutcome(peck, now) : outcomeOf(peck, now)}
        />
      </Card>
    </Announcements>
  )
}
