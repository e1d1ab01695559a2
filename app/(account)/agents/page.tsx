import type { Metadata } from 'next'
import { requireViewer } from '@/app/_web/viewer'
import { withProblemPage } from '@/components/problem-page'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { readClock } from '@/lib/kernel/clock'
import { AgentRow } from './agent-row'
import { NoAgents } from './no-agents'
import { readAgents } from './read'

export const metadata: Metadata = { title: 'Agents', robots: { index: false } }

interface AgentsPageProps {
  searchParams: Promise<{ include?: string | string[]; cursor?: string | string[] }>
}

export default withProblemPage(async function AgentsPage({ searchParams }: AgentsPageProps) {
  const viewer = await requireViewer('/agents')
  const { include, cursor } = await searchParams
  const withDeregistered = include === 'deregistered'
  const { items, next_cursor } = await readAgents({
    withDeregistered,
    limit: '50',
    ...(cursor === undefined ? {} : { cursor: String(cursor) }),
  })
  const now = readClock()
  const isEmpty = items.length === 0
  const hasAny = !isEmpty || (await readAgents({ withDeregistered: true, limit: '1' })).items.length > 0
  return (
    <>
      <PageHead title="Agents" lead="Programs that act for you. Each one has its own key.">
        {isEmpty ? null : (
          <ButtonLink kind="primary" href="/agents/new">
            Register an agent
          </ButtonLink>
        )}
      </PageHead>
      {isEmpty ? (
        <NoAgents operatorId={viewer.duckling_id} />
      ) : (
        <ul className="border-b border-line sm:-mx-3">
          {items.map((agent) => (
            <AgentRow key={agent.agent_id} agent={agent} now={now} />
          ))}
        </ul>
      )}
      <p className="mt-5 flex flex-wrap gap-x-6 text-sm">
        {next_cursor === null ? null : (
          <MoreLink href={`/agents?include=deregistered&cursor=${next_cursor}`}>Older agents</MoreLink>
        )}
        {withDeregistered ? <MoreLink href="/agents">Hide deregistered</MoreLink> : null}
        {!withDeregistered && hasAny ? (
          <MoreLink href="/agents?include=deregistered">Show deregistered</MoreLink>
        ) : null}
      </p>
    </>
  )
})

function MoreLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="inline-flex min-h-11 items-center text-soft underline hover:text-ink">
      {children}
    </Link>
  )
}
