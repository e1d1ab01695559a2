import { KeyRound, TriangleAlert } from 'lucide'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { AgentStatus } from './agent-status'
import { keyLifetime } from './key-lifetime'
import { type Agent, isConnected } from './read'
import { capabilityWords } from './words'

/** One agent in the list of agents, in one line on wide screens. */
export function AgentRow({ agent, now }: { agent: Agent; now: Date }) {
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 border-t border-line py-3 hover:bg-surface sm:px-3 lg:grid-cols-[auto_minmax(0,1fr)_9rem_11rem]">
      <Duck
        id={agent.agent_id}
        size={44}
        className={`max-lg:row-span-2 max-lg:self-start ${agent.status === 'bonded' ? '' : 'opacity-60 grayscale'}`}
      />
      <div className="min-w-0">
        <h2 className="font-sans text-base font-semibold tracking-normal wrap-anywhere">
          {/* The whole row is the link. */}
          <Link
            href={`/agents/manage/${agent.agent_id}`}
            className="no-underline after:absolute after:inset-0 hover:underline"
          >
            <bdi translate="no">{agent.agent_name}</bdi>
          </Link>
        </h2>
        <p className="text-sm text-soft wrap-anywhere">
          {agent.agent_type}
          <span aria-hidden="true" className="mx-1">
            ·
          </span>
          <Capabilities agent={agent} />
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm max-lg:col-start-2 lg:contents">
        <p>
          <AgentStatus status={agent.status} />
        </p>
        <div className="text-soft">
          <LastSeen agent={agent} now={now} />
          <KeyState agent={agent} now={now} />
        </div>
      </div>
    </li>
  )
}

const shownCapabilities = 2

/** The first capabilities. The page of the agent shows all. */
function Capabilities({ agent }: { agent: Agent }) {
  const { capabilities } = agent
  const more = capabilities.length - shownCapabilities
  return (
    <>
      {capabilities
        .slice(0, shownCapabilities)
        .map((code) => capabilityWords(code, agent) ?? code)
        .join(', ')}
      {more > 0 ? m.agents_and_more({ more }) : ''}
    </>
  )
}

function SeenAt({ at, now }: { at: string; now: Date }) {
  return <Sentence of={m.agents_seen_at} parts={{ time: () => <Time at={at} now={now} /> }} />
}

function LastSeen({ agent, now }: { agent: Agent; now: Date }) {
  return (
    <p>
      {agent.last_seen_at === null ? m.agents_not_seen_yet() : <SeenAt at={agent.last_seen_at} now={now} />}
    </p>
  )
}

/** Says only what needs attention: a key that expires soon, or old keys that are still used. */
function KeyState({ agent, now }: { agent: Agent; now: Date }) {
  const { key, connection, status } = agent
  if (status === 'deregistered') return null
  if (connection !== null)
    return isConnected(agent, now) ? null : <p className="font-semibold">{m.agents_not_connected()}</p>
  const { tone, daysLeft } = keyLifetime(key, now)
  return (
    <>
      {tone === 'good' ? null : (
        <p className={`flex items-center gap-1.5 font-semibold ${tone === 'bad' ? 'text-bad' : 'text-warn'}`}>
          <Icon of={KeyRound} size={15} className="shrink-0" />
          {daysLeft === 0 ? m.agents_key_expired() : m.agents_key_days_left({ days: daysLeft })}
        </p>
      )}
      {key.retired_key_uses === 0 ? null : (
        <p className="flex items-center gap-1.5 font-semibold text-warn">
          <Icon of={TriangleAlert} size={15} className="shrink-0" />
          {m.agents_old_key_used()}
        </p>
      )}
    </>
  )
}
