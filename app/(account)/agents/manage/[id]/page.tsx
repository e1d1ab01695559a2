import type { Metadata } from 'next'
import { NotFoundPage } from '@/app/_shell/not-found-page'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/answer-not-found'
import { read } from '@/app/_web/read'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { Bond } from '@/components/bond'
import { BackLink } from '@/components/ui/back-link'
import { readClock } from '@/lib/kernel/clock'
import { AgentStatus } from '../../agent-status'
import { OldKeyNotice } from '../../old-key-notice'
import { type Agent, findAgent } from '../../read'
import { statusTexts } from '../../words'
import { KeySection } from './key-section'
import { SamplesSection } from './samples-section'
import { AboutSection, BondSection, DeregisterSection, SettingsSection, SuspendSection } from './sections'

interface AgentPageProps {
  params: Promise<{ id: string }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: AgentPageProps): Promise<Metadata> {
  const { id } = await params
  await requireViewer(`/agents/manage/${encodeURIComponent(id)}`)
  const agent = await findAgent(id)
  return { title: agent === null ? 'Agent' : agent.agent_name, robots: { index: false } }
})

export default withProblemPage(async function AgentPage({ params }: AgentPageProps) {
  const { id } = await params
  const viewer = await requireViewer(`/agents/manage/${encodeURIComponent(id)}`)
  const agent = await findAgent(id)
  if (agent === null) {
    answerNotFound()
    return <NotFoundPage />
  }
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
      {agent.status === 'registered' ? <BondSection agent={agent} /> : null}
      <AboutSection agent={agent} now={now} />
      {isLive ? (
        <>
          <KeySection agent={agent} now={now} />
          <SamplesSection agent={agent} viewer={viewer} />
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

function Head({ agent, viewer }: { agent: Agent; viewer: Viewer }) {
  const { explanation } = statusTexts[agent.status]
  return (
    <header className="mb-10">
      <BackLink href="/agents">All agents</BackLink>
      <Bond operatorId={viewer.duckling_id} agentId={agent.agent_id} state={agent.status} size={80} />
      <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="wrap-anywhere">{agent.agent_name}</h1>
        <AgentStatus status={agent.status} />
      </div>
      <p role="status" className="mt-2 text-soft">
        {explanation}
      </p>
    </header>
  )
}
