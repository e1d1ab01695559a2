import { Duck } from '@/components/duck'
import { Link } from '@/components/ui/link'
import { Facts, Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { personName } from '@/lib/kernel/text/person-name'
import type { Agent } from './check-agent'

const statusWords: Record<Agent['status'], string> = {
  registered: 'Registered',
  bonded: 'Bonded',
  suspended: 'Suspended',
  deregistered: 'Deregistered',
}

/** The agent itself: its name, status, type and number. */
export function AgentDetails({ agent }: { agent: Agent }) {
  return (
    <section aria-labelledby="who">
      <h2 id="who">The agent</h2>
      <div className="mt-5 mb-6 flex items-center gap-5">
        <Duck id={agent.agent_id} size={76} className={agent.valid ? '' : 'opacity-60 grayscale'} />
        <div className="min-w-0">
          <p className="font-display text-xl font-semibold wrap-anywhere">{agent.agent_name}</p>
          <p className="mt-1">
            <Pill tone={agent.valid ? 'good' : 'neutral'}>{statusWords[agent.status]}</Pill>
          </p>
        </div>
      </div>
      <Facts
        facts={[
          { name: 'Type', value: agent.agent_type },
          { name: 'Bonded', value: agent.bonded_at === null ? 'never' : <Time at={agent.bonded_at} /> },
          { name: 'Number', value: <code>{agent.agent_id}</code> },
        ]}
      />
    </section>
  )
}

/** The duckling that is responsible for the agent. */
export function Operator({ operator, isPast }: { operator: Agent['operator']; isPast: boolean }) {
  return (
    <section aria-labelledby="behind">
      <h2 id="behind">{isPast ? 'Its former operator' : 'Its operator'}</h2>
      <div className="mt-5 mb-6 flex items-center gap-5">
        <Duck id={operator.duckling_id} size={76} />
        <div className="min-w-0">
          <p className="font-display text-xl font-semibold wrap-anywhere">
            <bdi>{personName(operator)}</bdi>
          </p>
          <p className="mt-1">
            <Pill>{operator.trust_tier}</Pill>
          </p>
        </div>
      </div>
      <Facts
        facts={[
          {
            name: 'Certificate',
            value:
              operator.cert_id === null ? (
                'none'
              ) : (
                <Link
                  href={`/verify/${operator.cert_id}`}
                  className="inline-flex min-h-6 items-center text-accent underline"
                >
                  Check certificate
                </Link>
              ),
          },
          { name: 'Number', value: <code>{operator.duckling_id}</code> },
        ]}
      />
    </section>
  )
}

/** The capabilities of the agent. */
export function Capabilities({ agent }: { agent: Agent }) {
  return (
    <Section
      id="capabilities"
      title={
        agent.status === 'deregistered'
          ? 'What it was allowed to do at Beak'
          : 'What it is allowed to do at Beak'
      }
      lead={
        agent.status === 'deregistered'
          ? 'The capabilities that its operator had given it. They ended when it was deregistered.'
          : 'The capabilities that its operator has given it. For anything else, it has to ask a person each time.'
      }
    >
      <ul className="flex flex-wrap gap-2">
        {agent.capabilities.map((capability) => (
          <li
            key={capability}
            className="rounded-control border border-line bg-surface px-3 py-1 font-mono text-sm wrap-anywhere"
          >
            {capability}
          </li>
        ))}
      </ul>
    </Section>
  )
}
