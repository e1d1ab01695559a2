/** The sections of an agent's page. */

import { ButtonLink } from '@/components/ui/button'
import { ActionForm, CheckField, SubmitButton, TextField } from '@/components/ui/form'
import { Card, Facts, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { setSuspended, updateAgent } from '../../actions'
import { NewHandshake } from '../../bonding-command'
import { CapabilityList } from '../../capability-list'
import type { Agent } from '../../read'
import { type Dependents, dependentWords } from '../../words'
import { Deregister } from './deregister'

export function BondSection({ agent }: { agent: Agent }) {
  return (
    <Section
      id="bond"
      title="Bond the agent"
      lead="The agent sends its key and a handshake, once. A handshake is valid for one hour. A new one replaces the last one."
    >
      <NewHandshake agentId={agent.agent_id} agentName={agent.agent_name}>
        <p className="text-sm text-soft">
          Lost the key? Rotate it below: you get a new key and a new handshake.
        </p>
      </NewHandshake>
    </Section>
  )
}

export function AboutSection({ agent, now }: { agent: Agent; now: Date }) {
  return (
    <Section id="about" title="About">
      <Facts
        facts={[
          { name: 'ID', value: <code>{agent.agent_id}</code> },
          { name: 'Type', value: agent.agent_type },
          { name: 'Capabilities', value: <CapabilityList capabilities={agent.capabilities} /> },
          { name: 'Registered', value: <Time at={agent.created_at} /> },
          { name: 'Bonded', value: agent.bonded_at ? <Time at={agent.bonded_at} /> : 'not yet' },
          {
            name: 'Last seen',
            value: agent.last_seen_at ? <Time at={agent.last_seen_at} now={now} /> : 'not yet',
          },
        ]}
      />
      <p className="mt-6 flex flex-wrap gap-3">
        <ButtonLink href={`/agents/${agent.agent_id}`}>View public page</ButtonLink>
        <ButtonLink href="/pecks/sent">View sent requests</ButtonLink>
      </p>
    </Section>
  )
}

export function SettingsSection({ agent }: { agent: Agent }) {
  return (
    <Section id="settings" title="Settings">
      <Card>
        <ActionForm action={updateAgent} label="Settings">
          <input type="hidden" name="agent_id" value={agent.agent_id} />
          <TextField
            label="Name"
            name="agent_name"
            defaultValue={agent.agent_name}
            autoComplete="off"
            maxLength={64}
            className="max-w-md"
          />
          <CheckField
            label="Allow the key in URLs"
            name="allow_query_key"
            defaultChecked={agent.allow_query_key}
            hint="As ?beak_key=, for programs that can't send headers. URLs end up in logs, so leave this off if you can."
          />
          <SubmitButton kind="plain">Save</SubmitButton>
        </ActionForm>
      </Card>
    </Section>
  )
}

export function SuspendSection({ agent }: { agent: Agent }) {
  const isSuspended = agent.status === 'suspended'
  const title = isSuspended ? 'Resume' : 'Suspend'
  return (
    <Section
      id="suspend"
      title={title}
      lead={
        isSuspended && agent.bonded_at === null
          ? 'A device that you allowed prepared this agent, or you suspended it before it bonded. It can bond after you resume it.'
          : isSuspended
            ? 'Its key, requests and permissions work again after that.'
            : 'Stops the agent immediately. Its key, requests and permissions are paused until you resume it.'
      }
    >
      <ActionForm action={setSuspended} label={title}>
        <input type="hidden" name="agent_id" value={agent.agent_id} />
        <input type="hidden" name="to" value={isSuspended ? 'resumed' : 'suspended'} />
        <SubmitButton kind={isSuspended ? 'primary' : 'plain'}>{`${title} agent`}</SubmitButton>
      </ActionForm>
    </Section>
  )
}

export function DeregisterSection({ agent, dependents }: { agent: Agent; dependents: Dependents }) {
  const isLive = agent.status !== 'deregistered'
  const ending = isLive ? dependentWords(dependents) : []
  return (
    <Deregister agentId={agent.agent_id} agentName={agent.agent_name} isLive={isLive}>
      <p>This can't be undone. The agent's key stops working immediately.</p>
      <p className="mt-2">
        {ending.length === 0
          ? 'It has no waiting requests or active permissions.'
          : `This also ends ${listWithAnd(ending)}. The people concerned are notified.`}
      </p>
    </Deregister>
  )
}
