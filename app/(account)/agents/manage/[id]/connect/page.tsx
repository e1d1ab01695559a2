import type { Metadata } from 'next'
import { NotFoundPage } from '@/app/_shell/not-found-page'
import { withProblemPage } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import { BackLink } from '@/components/ui/back-link'
import { m } from '@/lib/kernel/messages'
import { InboxQr } from '../../../inbox-qr'
import { programOfType } from '../../../programs'
import { findAgent } from '../../../read'
import { ConnectForm } from './connect-form'

export const generateMetadata = (): Metadata => ({
  title: m.agents_connect_agent(),
  robots: { index: false },
})

interface ConnectPageProps {
  params: Promise<{ id: string }>
}

/** Connects an agent on the device where its program is. It may have been registered on another one. */
export default withProblemPage(async function ConnectPage({ params }: ConnectPageProps) {
  const { id } = await params
  const viewer = await requireViewer(`/agents/manage/${encodeURIComponent(id)}/connect`)
  const agent = await findAgent(id)
  if (agent === null) {
    answerNotFound()
    return <NotFoundPage />
  }
  const { agent_id: agentId, agent_name: agentName, status } = agent
  return (
    <>
      <BackLink href={`/agents/manage/${agentId}`}>{m.agents_back_to_agent()}</BackLink>
      <ConnectForm
        agentId={agentId}
        agentName={agentName}
        operatorId={viewer.duckling_id}
        state={status}
        program={programOfType(agent.agent_type).id}
        inboxQr={<InboxQr />}
      />
    </>
  )
})
