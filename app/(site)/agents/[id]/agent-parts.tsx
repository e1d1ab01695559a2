import { personName } from '@beak/decision/person-name'
import { Duck } from '@/components/duck'
import { Link } from '@/components/ui/link'
import { Facts, Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { tierLabel } from '@/lib/kernel/text/tier-words'
import type { Agent } from './check-agent'

const statusWords: Record<Agent['status'], () => string> = {
  registered: m.agent_check_status_registered,
  bonded: m.agent_check_bonded,
  suspended: m.agent_check_status_suspended,
  deregistered: m.agent_check_status_deregistered,
}

/** The agent itself: its name, status, type and number. */
export function AgentDetails({ agent }: { agent: Agent }) {
  return (
    <section aria-labelledby="who">
      <h2 id="who">{m.agent_check_the_agent()}</h2>
      <div className="mt-5 mb-6 flex items-center gap-5">
        <Duck id={agent.agent_id} size={76} className={agent.valid ? '' : 'opacity-60 grayscale'} />
        <div className="min-w-0">
          <p translate="no" className="font-display text-xl font-semibold wrap-anywhere">
            {agent.agent_name}
          </p>
          <p className="mt-1">
            <Pill tone={agent.valid ? 'good' : 'neutral'}>{statusWords[agent.status]()}</Pill>
          </p>
        </div>
      </div>
      <Facts
        facts={[
          { name: m.agent_check_type(), value: agent.agent_type },
          {
            name: m.agent_check_bonded(),
            value: agent.bonded_at === null ? m.agent_check_never() : <Time at={agent.bonded_at} />,
          },
          { name: m.agent_check_number(), value: <code translate="no">{agent.agent_id}</code> },
        ]}
      />
    </section>
  )
}

/** The duckling that is responsible for the agent. */
export function Operator({ operator, isPast }: { operator: Agent['operator']; isPast: boolean }) {
  return (
    <section aria-labelledby="behind">
      <h2 id="behind">{isPast ? m.agent_check_its_former_operator() : m.agent_check_its_operator()}</h2>
      <div className="mt-5 mb-6 flex items-center gap-5">
        <Duck id={operator.duckling_id} size={76} />
        <div className="min-w-0">
          <p className="font-display text-xl font-semibold wrap-anywhere">
            <bdi translate="no">{personName(operator)}</bdi>
          </p>
          <p className="mt-1">
            <Pill>{tierLabel(operator.trust_tier)}</Pill>
          </p>
        </div>
      </div>
      <Facts
        facts={[
          {
            name: m.agent_check_certificate(),
            value:
              operator.cert_id === null ? (
                m.agent_check_none()
              ) : (
                <Link
                  href={`/verify/${operator.cert_id}`}
                  className="inline-flex min-h-6 items-center text-accent underline"
                >
                  {m.agent_check_check_certificate()}
                </Link>
              ),
          },
          { name: m.agent_check_number(), value: <code translate="no">{operator.duckling_id}</code> },
        ]}
      />
    </section>
  )
}

/** The capabilities that give access here, in words. Others mean something to the services of the operator. */
const capabilityWords: Partial<Record<string, () => string>> = {
  'request:peck': m.agent_check_may_ask,
  'read:peck': m.agent_check_may_read_answers,
  'read:profile': m.agent_check_may_read_profile,
  'read:cert': m.agent_check_may_read_certificate,
  'issue:sso': m.agent_check_may_sign_in,
  'read:audit': m.agent_check_may_read_audit,
}

function wordsOf(code: string, { asks_others: asksOthers }: Agent): string | undefined {
  if (code === 'request:peck' && !asksOthers) return m.agent_check_may_ask_owner()
  return capabilityWords[code]?.()
}

/** The capabilities of the agent. */
export function Capabilities({ agent }: { agent: Agent }) {
  return (
    <Section
      id="capabilities"
      title={
        agent.status === 'deregistered'
          ? m.agent_check_what_it_was_allowed_do_at()
          : m.agent_check_what_it_is_allowed_do_at()
      }
      lead={
        agent.status === 'deregistered'
          ? m.agent_check_capabilities_that_its_operator_had_given()
          : m.agent_check_capabilities_that_its_operator_has_given()
      }
    >
      <ul className="grid gap-2">
        {agent.capabilities.map((code) => {
          const words = wordsOf(code, agent)
          return (
            <li key={code} className="wrap-anywhere">
              {words === undefined ? null : `${words} `}
              <code translate="no" className="text-sm text-soft">
                {code}
              </code>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
