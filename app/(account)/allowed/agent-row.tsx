import { quotedName } from '@beak/decision/quote'
import { KeyRound, TriangleAlert } from 'lucide'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { AgentStatus } from '../agents/agent-status'
import { keyLifetime } from '../agents/key-lifetime'
import { type Agent, isConnected } from '../agents/read'
import { type AgentActivity, StateLine, stateOf } from '../home/_agents/agents-overview'

interface AgentRowProps {
  agent: Agent
  /** What it did last. Nothing for a deregistered agent. */
  activity: AgentActivity | undefined
  viewerId: string
  now: Date
}

/** One agent with what it did last, in one line on wide screens. */
export function AgentRow({ agent, activity, viewerId, now }: AgentRowProps) {
  const state = activity === undefined ? undefined : stateOf(activity, viewerId, now)
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 border-t border-line py-3 hover:bg-surface sm:px-3 lg:grid-cols-[auto_minmax(0,1fr)_9rem_11rem]">
      <Duck
        id={agent.agent_id}
        size={44}
        className={`max-lg:row-span-2 max-lg:self-start ${agent.status === 'bonded' ? '' : 'opacity-60 grayscale'}`}
      />
      <div className="min-w-0">
        <h3 className="font-sans text-base font-semibold tracking-normal wrap-anywhere">
          {/* The whole row is the link. */}
          <Link
            href={`/agents/manage/${agent.agent_id}`}
            className="no-underline after:absolute after:inset-0 hover:underline"
          >
            <bdi translate="no">{quotedName(agent.agent_name)}</bdi>
          </Link>
        </h3>
        {state === undefined ? null : (
          <div className="relative w-fit">
            <StateLine state={state} now={now} />
          </div>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm max-lg:col-start-2 lg:contents">
        {/* The line of what it does says the other states already. */}
        {activity === undefined || agent.status === 'bonded' ? (
          <p className={activity === undefined ? '' : 'max-lg:hidden'}>
            <AgentStatus status={agent.status} />
          </p>
        ) : (
          <span className="max-lg:hidden" />
        )}
        <div className="text-soft">
          {/* On a small screen, the line of what it does says enough of an agent that is connected. */}
          <div className={activity === undefined ? '' : 'max-lg:hidden'}>
            {/* An idle agent has the time of its last activity in its line. */}
            {state?.kind === 'idle' && state.at !== null ? null : <LastSeen agent={agent} now={now} />}
          </div>
          <KeyState agent={agent} now={now} />
        </div>
      </div>
    </li>
  )
}

function SeenAt({ at, now }: { at: string; now: Date }) {
  return <Sentence of={m.agents_seen_at} parts={{ time: () => <Time at={at} now={now} /> }} />
}

/** Of an agent that was never connected, the row says that already. */
function LastSeen({ agent, now }: { agent: Agent; now: Date }) {
  if (agent.status === 'registered' && agent.last_seen_at === null) return null
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
