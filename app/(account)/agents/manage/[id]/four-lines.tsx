import type { ReactNode } from 'react'
import { read } from '@/app/_web/page-read'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { StateLine, stateOf } from '../../../home/_agents/agents-overview'
import { type Agent, isConnected } from '../../read'
import { type Dependents, knownCapabilities } from '../../words'
import { DidByRule, MayByRules } from './by-rules'
import { ChangeRights, StopButtons } from './sections'

const line = 'grid gap-x-6 gap-y-0.5 border-t border-line py-3 sm:grid-cols-[10rem_minmax(0,1fr)]'

type Line = [label: string, content: ReactNode]

interface FourLinesProps {
  agent: Agent
  dependents: Dependents
  viewerId: string
  now: Date
}

/**
 * What an agent may do, what it did last, how it is connected and how to stop it. A removed agent has only what it did, and one that was never
 * connected did nothing.
 */
export async function FourLines({ agent, dependents, viewerId, now }: FourLinesProps) {
  const { items } = await read('GET /beak/agent/activity')
  const activity = items.find(({ agent_id }) => agent_id === agent.agent_id)
  const isLive = agent.status !== 'deregistered'
  const did: Line = [
    m.agents_line_did(),
    <div key="did" className="flex flex-wrap items-center gap-x-4">
      {activity === undefined ? null : <StateLine state={stateOf(activity, viewerId, now)} now={now} />}
      {activity?.peck?.status === 'pending' ? <DidByRule agentId={agent.agent_id} now={now} /> : null}
      <Link href={`/pecks/history?asker=${agent.agent_id}`} className="inline-block py-0.5 text-sm underline">
        {m.agents_line_all_requests()}
      </Link>
    </div>,
  ]
  const mayLabel = agent.status === 'registered' ? m.agents_line_may_once_connected() : m.agents_line_may()
  const may: Line = [mayLabel, <May key="may" agent={agent} viewerId={viewerId} />]
  const connected = connectedWords(agent, now)
  const lines: Line[] = [
    ...(isLive ? [may] : []),
    ...(agent.status === 'registered' ? [] : [did]),
    ...(connected === null ? [] : [[m.agents_bonded(), connected] satisfies Line]),
    [m.agents_line_end(), <StopButtons key="end" agent={agent} dependents={dependents} />],
  ]
  return (
    <dl className="mb-10 border-b border-line">
      {lines.map(([name, value]) => (
        <div key={name} className={line}>
          <dt className="font-semibold">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What the line names beside asking. That it sees the answers to its own requests needs no words. */
const named: ReadonlySet<string> = new Set(['read:profile', 'read:cert', 'issue:sso', 'read:audit'])

function May({ agent, viewerId }: Pick<FourLinesProps, 'agent' | 'viewerId'>) {
  const asks = agent.capabilities.includes('request:peck')
  const rest = knownCapabilities.filter(({ value }) => named.has(value) && agent.capabilities.includes(value))
  return (
    <>
      {asks
        ? agent.asks_others
          ? m.agents_line_asks_others()
          : m.agents_line_asks_you()
        : m.agents_line_asks_nobody()}{' '}
      {rest.length === 0 ? null : (
        <>
          <p className="mt-1">{m.agents_line_at_any_time()}</p>
          <ul className="mb-1 list-disc ps-5">
            {rest.map(({ value, label }) => (
              <li key={value}>{label}</li>
            ))}
          </ul>
        </>
      )}
      <MayByRules agentId={agent.agent_id} viewerId={viewerId} />
      <Link href={`/allowed?asker=${agent.agent_id}#permissions`} className="inline-block py-0.5 underline">
        {m.agents_line_without_asking()}
      </Link>
      <ChangeRights agent={agent} />
    </>
  )
}

/** Returns how an agent is connected, or null for one that is not: the top of the page says so. */
function connectedWords({ connection, bonded_at: bonded, key, ...agent }: Agent, now: Date): ReactNode {
  if (agent.status === 'deregistered') return null
  if (connection === null) {
    const isExpired = new Date(key.expires_at) <= now
    return bonded === null ? null : (
      <Sentence
        of={isExpired ? m.agents_line_by_expired_key : m.agents_line_by_key}
        parts={{ time: () => <Time at={key.expires_at} dateOnly /> }}
      />
    )
  }
  if (!isConnected({ connection }, now)) return null
  return (
    <Sentence
      of={m.agents_line_by_program}
      with={{ program: connection.client_name }}
      parts={{ time: () => <Time at={connection.connected_at} now={now} /> }}
    />
  )
}
