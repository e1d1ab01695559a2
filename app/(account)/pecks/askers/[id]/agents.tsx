import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { quotable } from '@/lib/kernel/text/quote'
import { filteredPath } from '../../_list/filter'
import { type AskerCard, askedWords } from './card'

interface AskingAgentsProps {
  agents: AskerCard['agents']
  isOwn: boolean
  now: Date
}

/** The agents of the person that asked the viewer. */
export function AskingAgents({ agents, isOwn, now }: AskingAgentsProps) {
  if (agents.length === 0) return null
  return (
    <Section
      id="agents"
      title={isOwn ? m.askers_your_agents_that_asked_you() : m.askers_their_agents_that_asked_you()}
    >
      <ul aria-labelledby="agents">
        {agents.map((agent) => (
          <li
            key={agent.agent_id}
            className="flex items-center gap-3 border-t border-line py-3 first:border-t-0"
          >
            <Duck id={agent.agent_id} size={32} />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Link
                  href={`/agents/${agent.agent_id}`}
                  className="inline-flex min-h-6 items-center font-semibold no-underline wrap-anywhere hover:underline"
                >
                  <bdi translate="no">“{quotable(agent.agent_name)}”</bdi>
                </Link>
                {agent.status === 'deregistered' ? <Pill>{m.askers_deregistered()}</Pill> : null}
              </p>
              <p className="text-sm text-soft">
                <Link
                  href={filteredPath('/pecks/history', { asker: agent.agent_id, direction: 'received' })}
                  className="inline-flex min-h-6 items-center underline decoration-line hover:decoration-ink"
                >
                  {askedWords(agent)}
                </Link>
                <LastAsked at={agent.last_asked_at} now={now} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function LastAsked({ at, now }: { at: string | null; now: Date }) {
  if (at === null) return null
  return (
    <>
      , <Sentence of={m.askers_last_asked} parts={{ time: () => <Time at={at} now={now} /> }} />
    </>
  )
}
