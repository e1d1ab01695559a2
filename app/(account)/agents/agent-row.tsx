import { Duck } from '@/components/duck'
import { Link } from '@/components/ui/link'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { CapabilityList } from './capability-list'
import { keyLifetime } from './key-lifetime'
import { KeyLifetimeBar } from './key-lifetime-bar'
import { OldKeyNotice } from './old-key-notice'
import type { Agent } from './read'
import { statusTexts } from './words'

/** One agent in the list of agents. */
export function AgentRow({ agent, now }: { agent: Agent; now: Date }) {
  return (
    <li className="relative grid gap-x-8 gap-y-4 border-t border-line py-6 hover:bg-surface sm:grid-cols-[auto_minmax(0,1fr)_11rem] sm:px-3">
      <Duck
        id={agent.agent_id}
        size={64}
        className={agent.status === 'bonded' ? '' : 'opacity-60 grayscale'}
      />
      <Summary agent={agent} now={now} />
      {agent.status === 'deregistered' ? null : <KeySummary agentKey={agent.key} now={now} />}
      {agent.key.retired_key_uses > 0 ? (
        <div className="relative sm:col-span-2 sm:col-start-2">
          <OldKeyNotice uses={agent.key.retired_key_uses} />
        </div>
      ) : null}
    </li>
  )
}

function Summary({ agent, now }: { agent: Agent; now: Date }) {
  const { label, tone } = statusTexts[agent.status]
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-lg wrap-anywhere">
          {/* The whole row is the link. */}
          <Link
            href={`/agents/manage/${agent.agent_id}`}
            className="no-underline after:absolute after:inset-0 hover:underline"
          >
            {agent.agent_name}
          </Link>
        </h2>
        <Pill tone={tone}>{label}</Pill>
      </div>
      <p className="mt-1 text-sm text-soft wrap-anywhere">
        {agent.agent_type}, <LastSeen agent={agent} now={now} />
      </p>
      <div className="mt-3">
        <CapabilityList capabilities={agent.capabilities} />
      </div>
      <p className="mt-1 text-sm">
        <Link
          href={`/agents/${agent.agent_id}`}
          className="relative inline-flex min-h-11 items-center underline decoration-line hover:decoration-ink"
        >
          View public page<span className="visually-hidden"> of {agent.agent_name}</span>
        </Link>
      </p>
    </div>
  )
}

function LastSeen({ agent, now }: { agent: Agent; now: Date }) {
  if (agent.last_seen_at === null) return <>not seen yet</>
  return (
    <>
      last seen <Time at={agent.last_seen_at} now={now} />
    </>
  )
}

function KeySummary({ agentKey, now }: { agentKey: Agent['key']; now: Date }) {
  return (
    <div className="sm:pt-1.5">
      <p className="mb-2 font-mono text-xs text-soft wrap-anywhere">{agentKey.start}…</p>
      <KeyLifetimeBar lifetime={keyLifetime(agentKey, now)} />
      <p className="text-sm text-soft">
        Created <Time at={agentKey.created_at} now={now} />
      </p>
    </div>
  )
}
