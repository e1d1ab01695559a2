/** The sections of an agent's page. */

import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm, CheckField, SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Card, Facts, Notice, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { WordHelp } from '@/components/ui/word-help'
import { m } from '@/lib/kernel/messages'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { optionalScopes, ScopeTicks } from '../../../connect/allow/scope-ticks'
import { changeRights, setSuspended, updateAgent } from '../../actions'
import { CapabilityList } from '../../agent-status'
import { NewHandshake } from '../../connect-agent'
import { InboxQr } from '../../inbox-qr'
import { TestRequest } from '../../issued-secrets'
import { type Agent, isConnected } from '../../read'
import { type Dependents, dependentWords } from '../../words'
import { Deregister } from './deregister'

/** How an agent that has not bonded is connected. */
export function ConnectSection({ agent }: { agent: Agent }) {
  const { agent_id: agentId, agent_name: agentName } = agent
  return (
    <Section id="connect" title={m.agents_step_connect()} lead={m.agents_connect_lead()}>
      <p className="mb-2">
        <ButtonLink kind="primary" href={`/agents/manage/${agentId}/connect`}>
          {m.agents_connect_agent()}
        </ButtonLink>
      </p>
      <WordHelp words={['bond', 'beak_key']} />
      <details>
        <summary className="min-h-11 cursor-pointer py-2.5 text-sm font-semibold">
          {m.agents_has_key()}
        </summary>
        <div className="mt-2">
          <NewHandshake issued={{ agentId, agentName }}>{null}</NewHandshake>
        </div>
      </details>
    </Section>
  )
}

/** The program that connected as this agent. */
export function ConnectionSection({ agent, now }: { agent: Agent; now: Date }) {
  const { connection } = agent
  if (connection === null) return null
  return (
    <Section id="connection" title={m.agents_connection()} lead={m.agents_connection_lead()}>
      {isConnected(agent, now) ? null : <ConnectAgain program={connection.client_name} />}
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
          {
            name: m.agents_last_used(),
            value: connection.last_used_at ? (
              <Time at={connection.last_used_at} now={now} />
            ) : (
              m.agents_not_yet()
            ),
          },
        ]}
      />
    </Section>
  )
}

/** How a program that is no longer connected becomes this agent again. */
function ConnectAgain({ program }: { program: string }) {
  return (
    <div className="mb-6">
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
            ? [{ name: m.agents_what_it_may_do(), value: <CapabilityList of={agent} /> }]
            : []),
          { name: m.agents_registered(), value: <Time at={agent.created_at} /> },
          {
            name: m.agents_bonded(),
            value: agent.bonded_at ? <Time at={agent.bonded_at} /> : m.agents_not_yet(),
          },
          {
            name: m.agents_last_seen(),
            value: agent.last_seen_at ? <Time at={agent.last_seen_at} now={now} /> : m.agents_not_yet(),
          },
        ]}
      />
      <p className="mt-6 flex flex-wrap gap-3">
        <ButtonLink href={`/agents/${agent.agent_id}`}>{m.agents_view_public_page()}</ButtonLink>
        <ButtonLink href={`/pecks/grants?asker=${agent.agent_id}`}>
          {m.agents_what_it_may_do_now()}
        </ButtonLink>
        <ButtonLink href="/pecks/sent">{m.agents_view_sent_requests()}</ButtonLink>
      </p>
    </Section>
  )
}

/** What the owner can change of what the agent may do. */
export function RightsSection({ agent }: { agent: Agent }) {
  const { connection } = agent
  if (connection === null && !agent.capabilities.includes('request:peck')) return null
  return (
    <Section
      id="rights"
      title={m.agents_change_what_it_may_do()}
      lead={m.agents_change_what_it_may_do_lead()}
    >
      <Card>
        <ActionForm action={changeRights} label={m.agents_change_what_it_may_do()}>
          <input type="hidden" name="agent_id" value={agent.agent_id} />
          {connection === null ? (
            <CheckField
              label={m.agents_asks_others()}
              name="asks_others"
              defaultChecked={agent.asks_others}
              hint={m.agents_asks_others_hint()}
            />
          ) : (
            <>
              <input type="hidden" name="by" value="scopes" />
              <ScopeTicks offered={optionalScopes} ticked={connection.scopes} />
            </>
          )}
          <SubmitButton kind="plain">{m.agents_save()}</SubmitButton>
        </ActionForm>
      </Card>
    </Section>
  )
}

export function SettingsSection({ agent }: { agent: Agent }) {
  return (
    <Section id="settings" title={m.agents_settings()}>
      <Card>
        <ActionForm action={updateAgent} label={m.agents_settings()}>
          <input type="hidden" name="agent_id" value={agent.agent_id} />
          <TextField
            label={m.agents_name()}
            name="agent_name"
            defaultValue={agent.agent_name}
            autoComplete="off"
            maxLength={64}
            className="max-w-md"
          />
          {agent.connection !== null ? null : (
            <CheckField
              label={m.agents_allow_the_key_in_urls()}
              name="allow_query_key"
              defaultChecked={agent.allow_query_key}
              hint={m.agents_key_in_urls_hint_of_agent()}
            />
          )}
          <SubmitButton kind="plain">{m.agents_save()}</SubmitButton>
        </ActionForm>
      </Card>
    </Section>
  )
}

export function SuspendSection({ agent }: { agent: Agent }) {
  const isSuspended = agent.status === 'suspended'
  const title = isSuspended ? m.agents_resume() : m.agents_suspend()
  return (
    <Section
      id="suspend"
      title={title}
      lead={
        isSuspended && agent.bonded_at === null
          ? m.agents_prepared_by_device_note()
          : isSuspended
            ? m.agents_resume_section_intro()
            : m.agents_suspend_section_intro()
      }
    >
      <ActionForm action={setSuspended} label={title}>
        <input type="hidden" name="agent_id" value={agent.agent_id} />
        <input type="hidden" name="to" value={isSuspended ? 'resumed' : 'suspended'} />
        <SubmitButton kind={isSuspended ? 'primary' : 'plain'}>
          {isSuspended ? m.agents_resume_agent() : m.agents_suspend_agent()}
        </SubmitButton>
      </ActionForm>
    </Section>
  )
}

export function DeregisterSection({ agent, dependents }: { agent: Agent; dependents: Dependents }) {
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
