import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Empty, PageHead } from '@/components/ui/surface'
import { readClock } from '@/lib/kernel/clock'
import { AgentRow } from './agent-row'
import { AgentSearch } from './agent-search'
import { NoAgents } from './no-agents'
import { type Agent, readAgents } from './read'

export const metadata: Metadata = { title: 'Agents', robots: { index: false } }

type Parameter = 'q' | 'include' | 'cursor'

interface AgentsPageProps {
  searchParams: Promise<Partial<Record<Parameter, string | string[]>>>
}

/** What the list shows: the text that agents contain, and whether deregistered ones are listed. */
interface View {
  text: string
  withDeregistered: boolean
}

const firstOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? ''

/** Returns the address of a view, with `cursor` for a later page. */
function addressOf({ text, withDeregistered }: View, cursor = ''): string {
  const query = new URLSearchParams({
    ...(text === '' ? {} : { q: text }),
    ...(withDeregistered ? { include: 'deregistered' } : {}),
    ...(cursor === '' ? {} : { cursor }),
  }).toString()
  return query === '' ? '/agents' : `/agents?${query}`
}

export default withProblemPage(async function AgentsPage({ searchParams }: AgentsPageProps) {
  const given = await searchParams
  const cursor = firstOf(given.cursor)
  const view: View = {
    text: firstOf(given.q).trim(),
    withDeregistered: firstOf(given.include) === 'deregistered',
  }
  const viewer = await requireViewer(addressOf(view, cursor))
  const { items, next_cursor } = await readAgents({ ...view, limit: '50', cursor })
  const hasAny =
    items.length > 0 || (await readAgents({ withDeregistered: true, limit: '1' })).items.length > 0
  return (
    <>
      <PageHead title="Agents" lead="Programs that act for you. Each one has its own key.">
        {hasAny ? (
          <ButtonLink kind="primary" href="/agents/new">
            Register an agent
          </ButtonLink>
        ) : null}
      </PageHead>
      {hasAny ? <AgentSearch {...view} /> : <NoAgents operatorId={viewer.duckling_id} />}
      {hasAny ? <AgentList agents={items} view={view} /> : null}
      <p className="mt-5 flex flex-wrap gap-x-6 text-sm">
        {next_cursor === null ? null : <MoreLink href={addressOf(view, next_cursor)}>Older agents</MoreLink>}
        {cursor === '' ? null : <MoreLink href={addressOf(view)}>Newest agents</MoreLink>}
        {hasAny ? (
          <MoreLink href={addressOf({ ...view, withDeregistered: !view.withDeregistered })}>
            {view.withDeregistered ? 'Hide deregistered' : 'Show deregistered'}
          </MoreLink>
        ) : null}
      </p>
    </>
  )
})

function AgentList({ agents, view }: { agents: Agent[]; view: View }) {
  const { text } = view
  if (agents.length === 0 && text === '')
    return <Empty title="No active agents">All your agents are deregistered.</Empty>
  if (agents.length === 0)
    return (
      <Empty
        title="No agents found"
        action={<ButtonLink href={addressOf({ ...view, text: '' })}>Clear search</ButtonLink>}
      >
        None of your agents has “{text}” in its name, id, type or capabilities.
      </Empty>
    )
  const now = readClock()
  return (
    <>
      {text === '' ? null : (
        <p role="status" className="mb-4 text-sm text-soft wrap-anywhere">
          Agents with “{text}”.{' '}
          <Link href={addressOf({ ...view, text: '' })} className="inline-block py-0.5 text-ink underline">
            Clear search
          </Link>
        </p>
      )}
      <ul className="border-b border-line sm:-mx-3">
        {agents.map((agent) => (
          <AgentRow key={agent.agent_id} agent={agent} now={now} />
        ))}
      </ul>
    </>
  )
}

function MoreLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="inline-flex min-h-11 items-center text-soft underline hover:text-ink">
      {children}
    </Link>
  )
}
