import type { Metadata } from 'next'
import { MissingPage } from '@/app/_shell/missing-page'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound, read } from '@/app/_web/page-read'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { Bond } from '@/components/bond'
import { BackLink } from '@/components/ui/back-link'
import { Facts, Section } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { tierWords } from '@/lib/kernel/text/tier-words'
import { AgentStatus } from '../../agent-status'
import { keyLifetime } from '../../key-lifetime'
import { KeyLifetimeBar, OldKeyNotice } from '../../old-key-notice'
import { type Agent, findAgent, isConnected } from '../../read'
import { statusTexts } from '../../words'
import { FourLines } from './four-lines'
import { GuardSection } from './guard-section'
import { RotateKey } from './rotate-key'
import { SamplesSection } from './samples-section'
import {
  AboutSection,
  ConnectAgain,
  ConnectionSection,
  ConnectSection,
  KeyInUrls,
  Rename,
  TestSection,
  timeFact,
} from './sections'

/** The key of an agent: how long it is valid, when it was used, its rotation, and where it may be sent. */
function KeySection({ agent, now }: { agent: Agent; now: Date }) {
  const { key } = agent
  const lifetime = keyLifetime(key, now)
  return (
    <Section id="key" title={m.agents_key()} lead={m.agents_key_secret_warning()}>
      <div className="mb-6 grid max-w-md gap-6">
        <KeyLifetimeBar lifetime={lifetime} />
        <Facts
          facts={[
            { name: m.agents_id(), value: <code translate="no">{key.key_id}</code> },
            { name: m.agents_starts_with(), value: <code translate="no">{key.start}</code> },
            ...timeFact(m.agents_created(), key.created_at),
            ...timeFact(lifetime.left === 0 ? m.agents_expired() : m.agents_expires(), key.expires_at),
            ...timeFact(m.agents_last_used(), key.last_used_at, now),
            { name: m.agents_tier(), value: m.agents_tier_scope({ tier: tierWords(key.tier_scope) }) },
          ]}
        />
      </div>
      <div className="mb-8">
        <RotateKey
          agentId={agent.agent_id}
          agentName={agent.agent_name}
          status={agent.status}
          defaultDays={lifetime.totalDays}
        />
      </div>
      <KeyInUrls agent={agent} />
    </Section>
  )
}

interface AgentPageProps {
  params: Promise<{ id: string }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: AgentPageProps): Promise<Metadata> {
  const { id } = await params
  await requireViewer(`/agents/manage/${encodeURIComponent(id)}`)
  const agent = await findAgent(id)
  return { title: agent === null ? m.agents_agent() : agent.agent_name, robots: { index: false } }
})

export default withProblemPage(async function AgentPage({ params }: AgentPageProps) {
  const { id } = await params
  const viewer = await requireViewer(`/agents/manage/${encodeURIComponent(id)}`)
  const agent = await findAgent(id)
  if (agent === null) {
    answerNotFound()
    return <MissingPage kind="agent" viewer={viewer} />
  }
  const { connection } = agent
  const isLive = agent.status !== 'deregistered'
  const dependents = await read('GET /beak/agent/deregister/preview', { query: { agent_id: id } })
  const now = readClock()
  return (
    <>
      <Head agent={agent} viewer={viewer} />
      {agent.key.retired_key_uses > 0 ? (
        <div className="mb-10">
          <OldKeyNotice uses={agent.key.retired_key_uses} />
        </div>
      ) : null}
      {agent.status === 'registered' && connection === null ? <ConnectSection agent={agent} /> : null}
      {isLive && connection !== null && !isConnected(agent, now) ? (
        <ConnectAgain program={connection.client_name} />
      ) : null}
      <FourLines agent={agent} dependents={dependents} viewerId={viewer.duckling_id} now={now} />
      <GuardSection agent={agent} />
      {isTestable(agent) ? <TestSection agent={agent} /> : null}
      <details>
        <summary className="inline-flex min-h-11 items-center rounded-control font-semibold underline">
          {m.agents_for_builders()}
        </summary>
        <div className="mt-6">
          <AboutSection agent={agent} now={now} />
          {isLive ? <ConnectionSection agent={agent} now={now} /> : null}
          {isLive && connection === null ? (
            <>
              <KeySection agent={agent} now={now} />
              <SamplesSection agent={agent} viewer={viewer} />
            </>
          ) : null}
        </div>
      </details>
    </>
  )
})

/** A test of an agent that can't ask would show what never happens. */
const isTestable = ({ status, capabilities }: Agent) =>
  status === 'bonded' && capabilities.includes('request:peck')

function Head({ agent, viewer }: { agent: Agent; viewer: Viewer }) {
  const { explanation } = statusTexts[agent.status]
  return (
    <header className="mb-10">
      <BackLink href="/allowed#agents">{m.rooms_allowed()}</BackLink>
      <Bond operatorId={viewer.duckling_id} agentId={agent.agent_id} state={agent.status} size={80} />
      <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 translate="no" className="wrap-anywhere">
          {agent.agent_name}
        </h1>
        <AgentStatus status={agent.status} />
        {agent.status === 'deregistered' ? null : <Rename agent={agent} />}
      </div>
      <p role="status" className="mt-2 text-soft">
        {explanation}
      </p>
    </header>
  )
}
