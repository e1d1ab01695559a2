/** What an agent is doing, in words. */

import { quotedName } from '@beak/decision/quote'
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
import type { ResponseOf } from '@/app/beak/_api/lines'
import { Duck } from '@/components/duck'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { hour } from '@/lib/kernel/runtime/clock'
import { keptText } from '@/lib/kernel/text/kept-values'
import { quotedAction, shownAction } from '@/lib/kernel/text/shown-action'
import { ShowAll, shortened } from '../waiting-requests'

export type AgentActivity = ResponseOf<'GET /beak/agent/activity'>['items'][number]
type ActivityPeck = NonNullable<AgentActivity['peck']>

/** Each kind has its own icon, so that it is recognised without colour. */
type StateKind =
  | 'asks_you'
  | 'waits'
  | 'allowed'
  | 'used'
  | 'refused'
  | 'ended'
  | 'idle'
  | 'suspended'
  | 'unbonded'

interface AgentState {
  kind: StateKind
  /** With marks around the values that stay. */
  text: string
  /** Shown after the text, as a time. */
  at: string | null
  /** The request that the text is about. */
  peckId: string | null
}

/** After this time without a change, an agent is idle. */
const recentSeconds = 24 * hour

const plain = (kind: StateKind, text: string): AgentState => ({ kind, text, at: null, peckId: null })

/** Returns the state of an agent as its owner sees it at `now`. */
export function stateOf(agent: AgentActivity, viewerId: string, now: Date): AgentState {
  if (agent.status === 'registered') return plain('unbonded', m.home_not_bonded_yet())
  if (agent.status === 'suspended') return plain('suspended', m.home_suspended())
  const { peck } = agent
  if (peck?.status === 'pending') return waitingState(agent, peck)
  const isRecent = peck !== null && now.getTime() - Date.parse(peck.changed_at) < recentSeconds * 1000
  if (isRecent) return recentState(peck, viewerId)
  return idleState(agent)
}

function waitingState(agent: AgentActivity, peck: ActivityPeck): AgentState {
  const isForYou = agent.waiting_for_you > 0
  const count = (isForYou ? agent.waiting_for_you : agent.waiting) - 1
  const action = shownAction(peck.action, isForYou ? 'your' : 'their')
  const text = isForYou ? waitingForYou(action, count) : waitingFor(targetName(peck), action, count)
  return { kind: isForYou ? 'asks_you' : 'waits', text, at: null, peckId: peck.peck_id }
}

const waitingForYou = (action: string, count: number) =>
  count > 0
    ? keptText(m.home_waiting_for_you_more, { action, count })
    : keptText(m.home_waiting_for_you, { action })

const waitingFor = (name: string, action: string, count: number) =>
  count > 0
    ? keptText(m.home_waiting_for_name_more, { name, action, count })
    : keptText(m.home_waiting_for_name, { name, action })

const targetName = (peck: ActivityPeck) => peck.target_full_name ?? peck.target_display_name

function recentState(peck: ActivityPeck, viewerId: string): AgentState {
  const { kind, text } = recentWords(peck, viewerId)
  return { kind, text, at: peck.changed_at, peckId: peck.peck_id }
}

function recentWords(peck: ActivityPeck, viewerId: string): { kind: StateKind; text: string } {
  const isOwn = peck.target_duckling_id === viewerId
  const action = quotedAction(peck.action, isOwn ? 'your' : 'their')
  const { you, yourRule, name, ruleOf } = decided
  const who = (verb: 'approved' | 'rejected' | 'revoked') => {
    const isRuled = peck.by_rule && verb !== 'revoked'
    if (isOwn) return keptText(isRuled ? yourRule[verb] : you[verb], { action })
    return keptText(isRuled ? ruleOf[verb] : name[verb], { name: targetName(peck), action })
  }
  if (peck.status === 'rejected') return { kind: 'refused', text: who('rejected') }
  if (peck.status === 'expired') return { kind: 'ended', text: keptText(m.home_nobody_answered, { action }) }
  if (peck.status === 'cancelled') return { kind: 'ended', text: keptText(m.home_withdrew, { action }) }
  if (peck.grant_status === 'revoked') return { kind: 'ended', text: who('revoked') }
  if (peck.uses > 0) return { kind: 'used', text: keptText(m.home_used, { action }) }
  return { kind: 'allowed', text: who('approved') }
}

/** What the viewer or somebody else, or a rule of theirs, did with a request. */
const decided = {
  you: { approved: m.home_you_approved, rejected: m.home_you_rejected, revoked: m.home_you_revoked },
  yourRule: { approved: m.home_your_rule_approved, rejected: m.home_your_rule_rejected },
  ruleOf: { approved: m.home_rule_of_name_approved, rejected: m.home_rule_of_name_rejected },
  name: { approved: m.home_name_approved, rejected: m.home_name_rejected, revoked: m.home_name_revoked },
}

function idleState({ peck, last_seen_at: seen }: AgentActivity): AgentState {
  const times = [peck?.changed_at, seen].filter((time) => typeof time === 'string')
  const latest = times.toSorted().at(-1) ?? null
  return latest === null
    ? plain('idle', m.home_no_activity_yet())
    : { kind: 'idle', text: m.home_idle_last_active(), at: latest, peckId: null }
}

/** Shown while the viewer has no agents: grey ducks as placeholders, and a link to connect one. */
function NoAgents({ hasLink }: { hasLink: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-card border border-dashed border-edge px-5 py-5">
      <div aria-hidden="true" className="flex items-end -space-x-2">
        {['one', 'four', 'eight'].map((id, index) => (
          <span key={id} className="rounded-full border border-dashed border-edge bg-ground p-0.5">
            <Duck id={id} size={36 + index * 6} className="opacity-25 grayscale" />
          </span>
        ))}
      </div>
      <p className="min-w-0 flex-1 basis-56 text-sm text-soft">
        <Sentence
          of={m.home_agents_empty}
          parts={{ strong: (children) => <strong className="text-ink">{children}</strong> }}
        />{' '}
        {hasLink ? (
          <Link href="/agents/new" className="inline-block py-0.5 font-semibold text-ink underline">
            {m.home_connect_an_agent()}
          </Link>
        ) : null}
      </p>
    </div>
  )
}

interface AgentsOverviewProps {
  /** The agents of the viewer, the most important ones first. */
  agents: AgentActivity[]
  viewerId: string
  now: Date
  /** Connecting an agent is already the next setup step. */
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
          <Link href="/allowed#agents" className="inline-flex min-h-6 items-center text-sm underline">
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
            <bdi translate="no">{quotedName(agent.agent_name)}</bdi>
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

/** What the agent is doing, with a link to its request. */
export function StateLine({ state: { kind, text, at, peckId }, now }: { state: AgentState; now: Date }) {
  const { icon, look } = looks[kind]
  const words = (
    <>
      <KeptText text={text} />
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
