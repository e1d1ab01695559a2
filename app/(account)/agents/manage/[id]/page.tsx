import type { Metadata } from 'next'
import { MissingPage } from '@/app/_shell/missing-page'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound, read } from '@/app/_web/page-read'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { Bond } from '@/components/bond'
import { BackLink } from '@/components/ui/back-link'
import { Facts, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { AgentStatus } from '../../agent-status'
import { type KeyLifetime, keyLifetime } from '../../key-lifetime'
import { KeyLifetimeBar, OldKeyNotice } from '../../old-key-notice'
import { type Agent, findAgent } from '../../read'
import { statusTexts } from '../../words'
import { RotateKey } from './rotate-key'
import { SamplesSection } from './samples-section'
import {
  AboutSection,
  ConnectionSection,
  ConnectSection,
  DeregisterSection,
  RightsSection,
  SettingsSection,
  SuspendSection,
  TestSection,
} from './sections'

/** The key of an agent: how long it is valid, when it was used, and its rotation. */
function KeySection({ agent, now }: { agent: Agent; now: Date }) {
  const { key } = agent
  const lifetime = keyLifetime(key, now)
  return (
    <Section id="key" title={m.agents_key()} lead={m.agents_key_secret_warning()}>
      <div className="mb-6 grid gap-x-14 gap-y-6 sm:grid-cols-[13rem_minmax(0,1fr)]">
        <DaysLeft lifetime={lifetime} />
        <Facts
          facts={[
            { name: m.agents_id(), value: <code translate="no">{key.key_id}</code> },
            { name: m.agents_starts_with(), value: <code translate="no">{key.start}</code> },
            { name: m.agents_created(), value: <Time at={key.created_at} /> },
            {
              name: lifetime.left === 0 ? m.agents_expired() : m.agents_expires(),
              value: <Time at={key.expires_at} />,
            },
            {
              name: m.agents_last_used(),
              value: key.last_used_at ? <Time at={key.last_used_at} now={now} /> : m.agents_not_yet(),
            },
            { name: m.agents_tier(), value: m.agents_tier_scope({ tier: key.tier_scope }) },
          ]}
        />
      </div>
      <RotateKey
        agentId={agent.agent_id}
        agentName={agent.agent_name}
        status={agent.status}
        defaultDays={lifetime.totalDays}
      />
    </Section>
  )
}

function DaysLeft({ lifetime }: { lifetime: KeyLifetime }) {
  return (
    <div>
      <p aria-hidden="true" className="mb-3 font-display text-3xl font-semibold tracking-tight tabular-nums">
        {lifetime.daysLeft}
      </p>
      <KeyLifetimeBar lifetime={lifetime} />
    </div>
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
      <AboutSection agent={agent} now={now} />
      {isLive ? (
        <>
          {connection === null ? (
            <KeySection agent={agent} now={now} />
          ) : (
            <ConnectionSection agent={agent} now={now} />
          )}
          {isTestable(agent) ? <TestSection agent={agent} /> : null}
          {connection === null ? <SamplesSection agent={agent} viewer={viewer} /> : null}
          <RightsSection agent={agent} />
          <SettingsSection agent={agent} />
        </>
      ) : null}
      <div className="grid gap-x-12 md:grid-cols-2">
        {isLive ? <SuspendSection agent={agent} /> : null}
        <DeregisterSection agent={agent} dependents={dependents} />
      </div>
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
      <BackLink href="/agents">{m.agents_all_agents()}</BackLink>
      <Bond operatorId={viewer.duckling_id} agentId={agent.agent_id} state={agent.status} size={80} />
      <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 translate="no" className="wrap-anywhere">
          {agent.agent_name}
        </h1>
        <AgentStatus status={agent.status} />
      </div>
      <p role="status" className="mt-2 text-soft">
        {explanation}
      </p>
    </header>
  )
}
