/** The parts of an agent's page. */
import Link from 'next/link'
import type { Viewer } from '@/app/_web/viewer'
import { ButtonLink } from '@/components/ui/button'
import { CopyBlock } from '@/components/ui/copy'
import { ActionForm, CheckField, SubmitButton, TextField } from '@/components/ui/form'
import { Card, Facts, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { config } from '@/lib/kernel/config'
import { listWithAnd } from '@/lib/kernel/list-words'
import { pauseAgent, updateAgent } from '../../actions'
import { NewHandshake } from '../../bond-it'
import { peckCommand } from '../../commands'
import { KeyBar } from '../../key-bar'
import { type KeyLife, keyLife } from '../../key-life'
import type { Agent } from '../../read'
import { type Dependents, dependentWords } from '../../words'
import { Deregister } from './deregister'
import { RotateKey } from './rotate-key'

export function Bonding({ agent }: { agent: Agent }) {
  return (
    <Section
      id="bond"
      title="Bond it"
      lead="The agent shows its key and a handshake, once. A handshake holds for an hour; a new one ends the one before."
    >
      <NewHandshake agentId={agent.agent_id} agentName={agent.agent_name}>
        <p className="text-sm text-soft">Is its key lost? Then rotate the key below: that gives you both.</p>
      </NewHandshake>
    </Section>
  )
}

export function About({ agent, now }: { agent: Agent; now: Date }) {
  return (
    <Section id="about" title="Who it is">
      <Facts
        facts={[
          { name: 'ID', value: <code>{agent.agent_id}</code> },
          { name: 'Type', value: agent.agent_type },
          {
            name: 'May do',
            value: (
              <ul className="flex flex-wrap gap-1.5">
                {agent.capabilities.map((capability) => (
                  <li
                    key={capability}
                    className="rounded-control bg-sunken px-2 py-0.5 font-mono text-xs wrap-anywhere"
                  >
                    {capability}
                  </li>
                ))}
              </ul>
            ),
          },
          { name: 'Registered', value: <Time at={agent.created_at} /> },
          { name: 'Bonded', value: agent.bonded_at ? <Time at={agent.bonded_at} /> : 'not yet' },
          {
            name: 'Last seen',
            value: agent.last_seen_at ? <Time at={agent.last_seen_at} now={now} /> : 'never',
          },
        ]}
      />
      <p className="mt-6 flex flex-wrap gap-3">
        <ButtonLink href={`/agents/${agent.agent_id}`}>Public check</ButtonLink>
        <ButtonLink href="/pecks/sent">Pecks that were sent</ButtonLink>
      </p>
    </Section>
  )
}

export function Key({ agent, now }: { agent: Agent; now: Date }) {
  const { key } = agent
  const life = keyLife(key, now)
  return (
    <Section
      id="key"
      title="Key"
      lead="What the agent shows with every request. Whoever has it is the agent."
    >
      <div className="mb-6 grid gap-x-14 gap-y-6 sm:grid-cols-[13rem_minmax(0,1fr)]">
        <KeyFigure life={life} />
        <Facts
          facts={[
            { name: 'ID', value: <code>{key.key_id}</code> },
            { name: 'Begins with', value: <code>{key.start}</code> },
            { name: 'Made', value: <Time at={key.created_at} /> },
            { name: life.left === 0 ? 'Expired' : 'Expires', value: <Time at={key.expires_at} /> },
            {
              name: 'Last used',
              value: key.last_used_at ? <Time at={key.last_used_at} now={now} /> : 'never',
            },
            {
              name: 'Reaches',
              value: `What tier ${key.tier_scope} opens, and never more than your own tier`,
            },
          ]}
        />
      </div>
      <RotateKey
        agentId={agent.agent_id}
        agentName={agent.agent_name}
        state={agent.status}
        defaultDays={life.totalDays}
      />
    </Section>
  )
}

function KeyFigure({ life }: { life: KeyLife }) {
  return (
    <div>
      <p aria-hidden="true" className="mb-3 font-display text-3xl font-semibold tracking-tight tabular-nums">
        {life.daysLeft}
      </p>
      <KeyBar life={life} />
    </div>
  )
}

export function Asking({ agent, viewer }: { agent: Agent; viewer: Viewer }) {
  const mayAsk = agent.capabilities.includes('request:peck')
  return (
    <Section
      id="ask"
      title="Let it ask"
      lead={
        mayAsk
          ? 'Put its key into BEAK_KEY and run this where the agent lives. It asks you, so the answer is yours.'
          : 'It may not ask for permission: request:peck is not among its capabilities.'
      }
    >
      {mayAsk ? (
        <div className="grid min-w-0 gap-4">
          <CopyBlock
            label="A first peck"
            text={peckCommand(config().baseUrl, viewer.duckling_id)}
            copyLabel="Copy the command"
            isExpanded
          />
          <p className="text-sm text-soft">
            The request then waits among{' '}
            <Link href="/pecks" className="underline">
              your pecks
            </Link>
            .
          </p>
        </div>
      ) : null}
    </Section>
  )
}

export function Settings({ agent }: { agent: Agent }) {
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
            label="Accept its key in addresses"
            name="allow_query_key"
            defaultChecked={agent.allow_query_key}
            hint="As ?beak_key=, for programs that cannot send a header. Addresses end up in logs: leave it off if you can."
          />
          <SubmitButton kind="plain">Save</SubmitButton>
        </ActionForm>
      </Card>
    </Section>
  )
}

export function Pause({ agent }: { agent: Agent }) {
  const isSuspended = agent.status === 'suspended'
  return (
    <Section
      id="pause"
      title={isSuspended ? 'Resume' : 'Suspend'}
      lead={
        isSuspended
          ? 'Its key, pecks and permissions are where they were.'
          : 'Stops it at once, until you resume it. Its key, pecks and permissions rest meanwhile.'
      }
    >
      <ActionForm action={pauseAgent} label={isSuspended ? 'Resume' : 'Suspend'}>
        <input type="hidden" name="agent_id" value={agent.agent_id} />
        <input type="hidden" name="to" value={isSuspended ? 'resumed' : 'suspended'} />
        <SubmitButton kind={isSuspended ? 'primary' : 'plain'}>
          {isSuspended ? 'Resume it' : 'Suspend it'}
        </SubmitButton>
      </ActionForm>
    </Section>
  )
}

export function End({ agent, dependents }: { agent: Agent; dependents: Dependents }) {
  const isLive = agent.status !== 'deregistered'
  const gone = isLive ? dependentWords(dependents) : []
  return (
    <Deregister agentId={agent.agent_id} agentName={agent.agent_name} isLive={isLive}>
      <p>It cannot be undone. Its key stops working at once.</p>
      <p className="mt-2">
        {gone.length === 0
          ? 'Nothing else rests on it at the moment.'
          : `With it go ${listWithAnd(gone)}. The other side is told.`}
      </p>
    </Deregister>
  )
}
