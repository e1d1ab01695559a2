import { Facts, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { type KeyLifetime, keyLifetime } from '../../key-lifetime'
import { KeyLifetimeBar } from '../../key-lifetime-bar'
import type { Agent } from '../../read'
import { RotateKey } from './rotate-key'

/** The key of an agent: how long it is valid, when it was used, and its rotation. */
export function KeySection({ agent, now }: { agent: Agent; now: Date }) {
  const { key } = agent
  const lifetime = keyLifetime(key, now)
  return (
    <Section id="key" title={m.agents_key()} lead={m.agents_agent_sends_it_with_every_request()}>
      <div className="mb-6 grid gap-x-14 gap-y-6 sm:grid-cols-[13rem_minmax(0,1fr)]">
        <DaysLeft lifetime={lifetime} />
        <Facts
          facts={[
            { name: m.agents_id(), value: <code translate="no">{key.key_id}</code> },
            { name: m.agents_starts_with(), value: <code translate="no">{key.start}</code> },
            { name: m.agents_created(), value: <Time at={key.created_at} /> },
            {
              name: lifetime.left === 0 ? m.agents_expired() : m.agents_expires(),
              value: <Time at={key.expires_at} />,
            },
            {
              name: m.agents_last_used(),
              value: key.last_used_at ? <Time at={key.last_used_at} now={now} /> : m.agents_not_yet(),
            },
            { name: m.agents_tier(), value: m.agents_tier_scope({ tier: key.tier_scope }) },
          ]}
        />
      </div>
      <RotateKey
        agentId={agent.agent_id}
        agentName={agent.agent_name}
        status={agent.status}
        defaultDays={lifetime.totalDays}
      />
    </Section>
  )
}

function DaysLeft({ lifetime }: { lifetime: KeyLifetime }) {
  return (
    <div>
      <p aria-hidden="true" className="mb-3 font-display text-3xl font-semibold tracking-tight tabular-nums">
        {lifetime.daysLeft}
      </p>
      <KeyLifetimeBar lifetime={lifetime} />
    </div>
  )
}
