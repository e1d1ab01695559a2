import type { Metadata } from 'next'
import Link from 'next/link'
import { requireViewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { withProblemPage } from '@/components/problem-page'
import { ButtonLink } from '@/components/ui/button'
import { PageHead, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { readClock } from '@/lib/kernel/clock'
import { DeadKeyNotice } from './dead-key-notice'
import { KeyBar } from './key-bar'
import { keyLife } from './key-life'
import { NoAgents } from './no-agents'
import { type Agent, readAgents } from './read'
import { stateWords } from './words'

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
  const hasEnded = !isEmpty || (await readAgents({ withDeregistered: true, limit: '1' })).items.length > 0
  return (
    <>
      <PageHead title="Agents" lead="Programs that act with you behind them, each with a key of its own.">
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
          <MoreLink href={`/agents?include=deregistered&cursor=${next_cursor}`}>Older ones</MoreLink>
        )}
        {withDeregistered ? <MoreLink href="/agents">Without those deregistered</MoreLink> : null}
        {!withDeregistered && hasEnded ? (
          <MoreLink href="/agents?include=deregistered">With those deregistered</MoreLink>
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

function AgentRow({ agent, now }: { agent: Agent; now: Date }) {
  const isLive = agent.status !== 'deregistered'
  return (
    <li className="relative grid gap-x-8 gap-y-4 border-t border-line py-6 hover:bg-surface sm:grid-cols-[auto_minmax(0,1fr)_11rem] sm:px-3">
      <Duck
        id={agent.agent_id}
        size={64}
        className={agent.status === 'bonded' ? '' : 'opacity-60 grayscale'}
      />
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-lg wrap-anywhere">
            {/* The whole row leads there. */}
            <Link
              href={`/agents/manage/${agent.agent_id}`}
              className="no-underline after:absolute after:inset-0 hover:underline"
            >
              {agent.agent_name}
            </Link>
          </h2>
          <Pill tone={stateWords[agent.status].tone}>{stateWords[agent.status].word}</Pill>
        </div>
        <p className="mt-1 text-sm text-soft wrap-anywhere">
          {agent.agent_type}, <Seen agent={agent} now={now} />
        </p>
        <Capabilities list={agent.capabilities} />
        <p className="mt-1 text-sm">
          <Link
            href={`/agents/${agent.agent_id}`}
            className="relative inline-flex min-h-11 items-center underline decoration-line hover:decoration-ink"
          >
            Public check<span className="visually-hidden"> of {agent.agent_name}</span>
          </Link>
        </p>
      </div>
      {isLive ? (
        <div className="sm:pt-1.5">
          <p className="mb-2 font-mono text-xs text-soft wrap-anywhere">{agent.key.start}…</p>
          <KeyBar life={keyLife(agent.key, now)} />
          <p className="text-sm text-soft">
            Made <Time at={agent.key.created_at} now={now} />
          </p>
        </div>
      ) : null}
      {agent.key.retired_key_uses > 0 ? (
        <div className="relative sm:col-span-2 sm:col-start-2">
          <DeadKeyNotice uses={agent.key.retired_key_uses} />
        </div>
      ) : null}
    </li>
  )
}

function Seen({ agent, now }: { agent: Agent; now: Date }) {
  if (agent.last_seen_at === null) return <>never seen</>
  return (
    <>
      last seen <Time at={agent.last_seen_at} now={now} />
    </>
  )
}

function Capabilities({ list }: { list: string[] }) {
  return (
    <ul aria-label="Capabilities" className="mt-3 flex flex-wrap gap-1.5">
      {list.map((capability) => (
        <li
          key={capability}
          className="rounded-control bg-sunken px-2 py-0.5 font-mono text-xs wrap-anywhere"
        >
          {capability}
        </li>
      ))}
    </ul>
  )
}
