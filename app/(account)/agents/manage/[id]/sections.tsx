/** The sections of an agent's page. */

import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm, CheckField, SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Facts, Notice, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { optionalScopes, ScopeTicks } from '../../../connect/allow/scope-ticks'
import { changeAgent, setSuspended } from '../../actions'
import { NewHandshake } from '../../connect-agent'
import { InboxQr } from '../../inbox-qr'
import { TestRequest } from '../../issued-secrets'
import type { Agent } from '../../read'
import { type Dependents, dependentWords } from '../../words'
import { Deregister } from './deregister'

/** How an agent that has not bonded is connected. */
export function ConnectSection({ agent }: { agent: Agent }) {
  const { agent_id: agentId, agent_name: agentName } = agent
  return (
    <div className="mb-10">
      <p className="mb-2">
        <ButtonLink kind="primary" href={`/agents/manage/${agentId}/connect`}>
          {m.agents_connect_agent()}
        </ButtonLink>
      </p>
      <details>
        <summary className="min-h-11 cursor-pointer py-2.5 text-sm font-semibold">
          {m.agents_has_key()}
        </summary>
        <div className="mt-2">
          <NewHandshake issued={{ agentId, agentName }}>{null}</NewHandshake>
        </div>
      </details>
    </div>
  )
}

/** The program that connected as this agent. */
export function ConnectionSection({ agent, now }: { agent: Agent; now: Date }) {
  const { connection } = agent
  if (connection === null) return null
  return (
    <Section id="connection" title={m.agents_connection()} lead={m.agents_connection_lead()}>
      <Facts
        facts={[
          {
            name: m.agents_connection_program(),
            value: <bdi translate="no">{connection.client_name}</bdi>,
          },
          {
            name: m.agents_connection_runs_at(),
            value:
              connection.return_host === 'localhost' ? (
                m.agents_connection_this_computer()
              ) : (
                <bdi translate="no">{connection.return_host}</bdi>
              ),
          },
          { name: m.agents_connection_since(), value: <Time at={connection.connected_at} /> },
          connection.ended_at === null
            ? { name: m.agents_connection_until(), value: <Time at={connection.expires_at} /> }
            : { name: m.agents_connection_ended(), value: <Time at={connection.ended_at} /> },
          ...timeFact(m.agents_last_used(), connection.last_used_at, now),
        ]}
      />
    </Section>
  )
}

/** How a program that is no longer connected becomes this agent again. */
export function ConnectAgain({ program }: { program: string }) {
  return (
    <div className="mb-10">
      <Notice tone="warn" title={m.agents_connection_ended_title()}>
        <Sentence
          of={m.agents_connection_ended_body}
          with={{ program }}
          parts={{
            link: (children) => (
              <Link href="/agents/new" className="inline-block py-1 font-semibold text-ink underline">
                {children}
              </Link>
            ),
          }}
        />
      </Notice>
    </div>
  )
}

/** Lets the owner see how requests of the agent arrive. */
export function TestSection({ agent }: { agent: Agent }) {
  return (
    <Section id="test" title={m.agents_test_title()}>
      <TestRequest agentId={agent.agent_id} agentName={agent.agent_name} inboxQr={<InboxQr />} />
    </Section>
  )
}

export function AboutSection({ agent, now }: { agent: Agent; now: Date }) {
  return (
    <Section id="about" title={m.agents_about()}>
      <Facts
        facts={[
          { name: m.agents_id(), value: <code translate="no">{agent.agent_id}</code> },
          { name: m.agents_type(), value: agent.agent_type },
          ...(agent.connection === null
            ? [{ name: m.agents_capabilities(), value: <CapabilityList of={agent} /> }]
            : []),
          ...timeFact(m.agents_registered(), agent.created_at),
          ...timeFact(m.agents_first_connected(), agent.bonded_at),
          ...timeFact(m.agents_last_seen(), agent.last_seen_at, now),
        ]}
      />
      <p className="mt-6">
        <ButtonLink href={`/agents/${agent.agent_id}`}>{m.agents_view_public_page()}</ButtonLink>
      </p>
    </Section>
  )
}

/** Returns a time as a fact, and nothing for what has not happened. */
export const timeFact = (name: string, at: string | null, now?: Date) =>
  at === null ? [] : [{ name, value: <Time at={at} {...(now ? { now } : {})} /> }]

/** What an agent may do, by the names of the API. The page has it in words. */
function CapabilityList({ of: { capabilities } }: { of: Agent }) {
  return (
    <ul aria-label={m.agents_capabilities()} className="flex flex-wrap gap-x-3">
      {capabilities.map((code) => (
        <li key={code}>
          <code translate="no">{code}</code>
        </li>
      ))}
    </ul>
  )
}

/** Changes the name, in a fold beside it. */
export function Rename({ agent }: { agent: Agent }) {
  return (
    <details className="open:basis-full">
      <summary className="inline-flex min-h-11 items-center rounded-control text-sm underline">
        {m.agents_rename()}
      </summary>
      <ActionForm action={changeAgent} label={m.agents_rename()}>
        <input type="hidden" name="agent_id" value={agent.agent_id} />
        <input type="hidden" name="change" value="agent_name" />
        <TextField
          label={m.agents_name()}
          name="agent_name"
          defaultValue={agent.agent_name}
          autoComplete="off"
          maxLength={64}
          className="max-w-md"
        />
        <SubmitButton kind="plain">{m.agents_save()}</SubmitButton>
      </ActionForm>
    </details>
  )
}

/** What the owner can change of what the agent may do, in a fold below it. */
export function ChangeRights({ agent }: { agent: Agent }) {
  const { connection } = agent
  if (connection === null && !agent.capabilities.includes('request:peck')) return null
  const label = connection === null ? m.agents_change_whom_it_may_ask() : m.agents_change_what_it_may_do()
  return (
    <details>
      <summary className="inline-flex min-h-11 items-center rounded-control underline">{label}</summary>
      <ActionForm action={changeAgent} label={label}>
        <input type="hidden" name="agent_id" value={agent.agent_id} />
        <input type="hidden" name="change" value={connection === null ? 'asks_others' : 'scopes'} />
        {connection === null ? (
          <CheckField
            label={m.agents_asks_others()}
            name="asks_others"
            defaultChecked={agent.asks_others}
            hint={m.agents_asks_others_hint()}
          />
        ) : (
          <ScopeTicks offered={optionalScopes} ticked={connection.scopes} />
        )}
        <p className="text-sm text-soft">
          {m.agents_change_what_it_may_do_lead()}{' '}
          {connection === null ? (
            <Sentence
              of={m.agents_change_anything_else}
              parts={{
                link: (children) => (
                  <Link href="/agents/new/key" className="underline">
                    {children}
                  </Link>
                ),
              }}
            />
          ) : null}
        </p>
        <SubmitButton kind="plain">{m.agents_save()}</SubmitButton>
      </ActionForm>
    </details>
  )
}

/** Whether an agent may send its key in an address. */
export function KeyInUrls({ agent }: { agent: Agent }) {
  return (
    <ActionForm action={changeAgent} label={m.agents_key()}>
      <input type="hidden" name="agent_id" value={agent.agent_id} />
      <input type="hidden" name="change" value="allow_query_key" />
      <CheckField
        label={m.agents_allow_the_key_in_urls()}
        name="allow_query_key"
        defaultChecked={agent.allow_query_key}
        hint={m.agents_key_in_urls_hint_of_agent()}
      />
      <SubmitButton kind="plain">{m.agents_save()}</SubmitButton>
    </ActionForm>
  )
}

/** Pausing, resuming and removing. Removing keeps its message after the agent is gone. */
export function StopButtons({ agent, dependents }: { agent: Agent; dependents: Dependents }) {
  const { status } = agent
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-start gap-3">
        {status === 'deregistered' ? null : <PauseForm agent={agent} />}
        <RemoveAgent agent={agent} dependents={dependents} />
      </div>
      {status === 'deregistered' ? null : (
        <p className="text-sm text-soft">
          {status === 'suspended' && agent.bonded_at === null
            ? m.agents_prepared_by_device_note()
            : status === 'suspended'
              ? m.agents_resume_section_intro()
              : m.agents_stop_hint()}
        </p>
      )}
    </div>
  )
}

function PauseForm({ agent }: { agent: Agent }) {
  const isSuspended = agent.status === 'suspended'
  const label = isSuspended ? m.agents_resume_agent() : m.agents_suspend_agent()
  return (
    <ActionForm action={setSuspended} label={label}>
      <input type="hidden" name="agent_id" value={agent.agent_id} />
      <input type="hidden" name="to" value={isSuspended ? 'resumed' : 'suspended'} />
      <SubmitButton kind={isSuspended ? 'primary' : 'plain'}>{label}</SubmitButton>
    </ActionForm>
  )
}

function RemoveAgent({ agent, dependents }: { agent: Agent; dependents: Dependents }) {
  const isLive = agent.status !== 'deregistered'
  const ending = isLive ? dependentWords(dependents) : []
  return (
    <Deregister agentId={agent.agent_id} agentName={agent.agent_name} isLive={isLive}>
      <p>{m.agents_deregister_warning()}</p>
      <p className="mt-2">
        {ending.length === 0
          ? m.agents_no_requests_or_permissions()
          : m.agents_this_also_ends_ending_people_concerned({ ending: listWithAnd(ending) })}
      </p>
    </Deregister>
  )
}
