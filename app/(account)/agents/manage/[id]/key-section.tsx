import { Facts, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { type KeyLifetime, keyLifetime } from '../../key-lifetime'
import { KeyLifetimeBar } from '../../key-lifetime-bar'
import type { Agent } from '../../read'
import { RotateKey } from './rotate-key'

/** The key of an agent: how long it is valid, when it was used, and its rotation. */
export function KeySection({ agent, now }: { agent: Agent; now: Date }) {
  const { key } = agent
  const lifetime = keyLifetime(key, now)
  return (
    <Section
      id="key"
      title="Key"
      lead="The agent sends it with every request. Anyone who has the key can act as this agent."
    >
      <div className="mb-6 grid gap-x-14 gap-y-6 sm:grid-cols-[13rem_minmax(0,1fr)]">
        <DaysLeft lifetime={lifetime} />
        <Facts
          facts={[
            { name: 'ID', value: <code>{key.key_id}</code> },
            { name: 'Starts with', value: <code>{key.start}</code> },
            { name: 'Created', value: <Time at={key.created_at} /> },
            { name: lifetime.left === 0 ? 'Expired' : 'Expires', value: <Time at={key.expires_at} /> },
            {
              name: 'Last used',
              value: key.last_used_at ? <Time at={key.last_used_at} now={now} /> : 'not yet',
            },
            { name: 'Tier', value: `Up to ${key.tier_scope}, but never above your own tier` },
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
