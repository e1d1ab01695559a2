import {
  CheckCheck,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  Hourglass,
  type IconNode,
  Moon,
} from 'lucide'
import { Duck } from '@/components/duck'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { quotable } from '@/lib/kernel/text/quote'
import { ShowAll, shortened } from '../show-all'
import { type AgentActivity, type AgentState, type StateKind, stateOf } from './agent-state'
import { NoAgents } from './no-agents'

interface AgentsOverviewProps {
  /** The agents of the viewer, the most important ones first. */
  agents: AgentActivity[]
  viewerId: string
  now: Date
  /** Registering an agent is already the next setup step. */
  isNextStep: boolean
  /** Otherwise only the most important agents are shown. */
  isAllShown: boolean
}

/** How many agents the page shows, unless all are asked for. */
const shownAtFirst = 6

/** Each agent of the viewer with what it is doing now. */
export function AgentsOverview({ agents, viewerId, now, isNextStep, isAllShown }: AgentsOverviewProps) {
  const few = shortened(agents, shownAtFirst)
  const shown = isAllShown ? agents : few
  return (
    <section aria-labelledby="agents">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="agents">{m.home_your_agents()}</h2>
        {agents.length === 0 ? null : (
          <Link href="/agents" className="inline-flex min-h-6 items-center text-sm underline">
            {m.home_manage_agents()}
          </Link>
        )}
      </div>
      {agents.length === 0 ? (
        <NoAgents hasLink={!isNextStep} />
      ) : (
        <ul className="grid gap-x-8 border-t border-line sm:grid-cols-2">
          {shown.map((agent) => (
            <AgentItem key={agent.agent_id} agent={agent} state={stateOf(agent, viewerId, now)} now={now} />
          ))}
        </ul>
      )}
      {few.length === agents.length ? null : (
        <ShowAll isAllShown={isAllShown}>{m.home_show_all_count_agents({ count: agents.length })}</ShowAll>
      )}
    </section>
  )
}

function AgentItem({ agent, state, now }: { agent: AgentActivity; state: AgentState; now: Date }) {
  const isInactive = agent.status !== 'bonded'
  return (
    <li className="flex min-w-0 items-center gap-3 border-b border-line py-2.5">
      <Duck id={agent.agent_id} size={40} className={isInactive ? 'opacity-60 grayscale' : ''} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-semibold">
          <Link
            href={`/agents/manage/${agent.agent_id}`}
            className="inline-block min-h-6 no-underline hover:underline"
          >
            <bdi translate="no">{quotable(agent.agent_name)}</bdi>
          </Link>
        </p>
        <StateLine state={state} now={now} />
      </div>
    </li>
  )
}

const looks: Record<StateKind, { icon: IconNode; look: string }> = {
  asks_you: { icon: CircleQuestionMark, look: 'font-semibold text-accent' },
  waits: { icon: Hourglass, look: 'text-soft' },
  allowed: { icon: CircleCheck, look: 'text-good' },
  used: { icon: CheckCheck, look: 'text-good' },
  refused: { icon: CircleX, look: 'text-soft' },
  ended: { icon: CircleSlash, look: 'text-soft' },
  idle: { icon: Moon, look: 'text-soft' },
  suspended: { icon: CirclePause, look: 'text-warn' },
  unbonded: { icon: CircleDashed, look: 'text-accent' },
}

function StateLine({ state: { kind, text, at, peckId }, now }: { state: AgentState; now: Date }) {
  const { icon, look } = looks[kind]
  const words = (
    <>
      {text}
      {at === null ? null : (
        <>
          {' '}
          <Time at={at} now={now} />
        </>
      )}
    </>
  )
  return (
    <p className={`flex items-start gap-1.5 text-sm ${look}`}>
      <Icon of={icon} size={16} className="mt-1 shrink-0" />
      {peckId === null ? (
        <span className="min-w-0 wrap-anywhere">{words}</span>
      ) : (
        <Link
          href={`/pecks/${peckId}`}
          className="min-w-0 py-0.5 underline decoration-line wrap-anywhere hover:decoration-current"
        >
          {words}
        </Link>
      )}
    </p>
  )
}
