import { quotedName } from '@beak/decision/quote'
import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { BackLink } from '@/components/ui/back-link'
import { SubmitButton } from '@/components/ui/form'
import { SplitSection } from '@/components/ui/split-section'
import { Empty, Facts, PageHead, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { removedKinds, removedLabels, settingWords } from '@/lib/kernel/text/removed-words'
import { AgentStatus } from '../../agents/agent-status'
import { type Agent, readAgents } from '../../agents/read'
import { nameOf, readWebhooks, type Webhook } from '../../webhooks/read'
import { keepAgent, keepWebhook } from './actions'
import { findRestored, type Restored } from './read'

export const generateMetadata = (): Metadata => ({
  title: m.security_restored_account(),
  robots: { index: false },
})

/** After the undo of a change of address: what was stopped, and what the owner can keep. */
export default withProblemPage(async function RestoredPage() {
  await requireViewer('/security/restored')
  const restored = await findRestored()
  if (restored === null)
    return (
      <>
        <Head lead={m.security_restored_empty_intro()} />
        <Empty title={m.security_nothing_was_undone()}>{m.security_restored_empty_body()}</Empty>
      </>
    )
  const [{ items: agents }, webhooks] = await Promise.all([readAgents(), readWebhooks()])
  const { removed } = restored
  return (
    <>
      <Head
        lead={
          <Sentence of={m.security_restored_page_intro} parts={{ time: () => <Time at={restored.at} /> }} />
        }
      />
      <Agents agents={agents.filter(({ agent_id }) => removed.agents.includes(agent_id))} />
      <Webhooks webhooks={webhooks.filter(({ webhook_id }) => removed.webhooks.includes(webhook_id))} />
      <Ended restored={restored} />
    </>
  )
})

function Head({ lead }: { lead: ReactNode }) {
  return (
    <>
      <BackLink href="/security">{m.security_security()}</BackLink>
      <PageHead title={m.security_restored_account()} lead={lead} />
    </>
  )
}

function Agents({ agents }: { agents: Agent[] }) {
  if (agents.length === 0) return null
  return (
    <SplitSection id="agents" title={m.security_agents()} lead={m.security_restored_agents_intro()}>
      <Announcements>
        <ul className="-mt-4 divide-y divide-line border-b border-line">
          {agents.map((agent) => (
            <Item
              key={agent.agent_id}
              href={`/agents/manage/${agent.agent_id}`}
              name={quotedName(agent.agent_name)}
              state={<AgentStatus status={agent.status} />}
              about={
                <Sentence
                  of={m.security_agent_registered}
                  with={{ type: agent.agent_type }}
                  parts={{ time: () => <Time at={agent.created_at} /> }}
                />
              }
            >
              {agent.status === 'suspended' ? (
                <AnnouncedForm action={keepAgent}>
                  <input type="hidden" name="agent_id" value={agent.agent_id} />
                  <Keep name={agent.agent_name} />
                </AnnouncedForm>
              ) : null}
            </Item>
          ))}
        </ul>
      </Announcements>
    </SplitSection>
  )
}

function Webhooks({ webhooks }: { webhooks: Webhook[] }) {
  if (webhooks.length === 0) return null
  return (
    <SplitSection id="webhooks" title={m.security_webhooks()} lead={m.security_restored_webhooks_intro()}>
      <Announcements>
        <ul className="-mt-4 divide-y divide-line border-b border-line">
          {webhooks.map((webhook) => (
            <Item
              key={webhook.webhook_id}
              href={`/webhooks/${webhook.webhook_id}`}
              name={nameOf(webhook)}
              state={
                <Pill tone={webhook.enabled ? 'good' : 'bad'}>
                  {webhook.enabled ? m.security_on() : m.security_off()}
                </Pill>
              }
              about={<code translate="no">{webhook.url}</code>}
            >
              {webhook.enabled ? null : (
                <AnnouncedForm action={keepWebhook}>
                  <input type="hidden" name="webhook_id" value={webhook.webhook_id} />
                  <Keep name={nameOf(webhook)} />
                </AnnouncedForm>
              )}
            </Item>
          ))}
        </ul>
      </Announcements>
    </SplitSection>
  )
}

interface ItemProps {
  href: string
  name: string
  state: ReactNode
  about: ReactNode
  children: ReactNode
}

function Item({ href, name, state, about, children }: ItemProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-48">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base wrap-anywhere">
          <Link href={href}>
            <bdi translate="no">{name}</bdi>
          </Link>
          {state}
        </h3>
        <p className="text-sm text-soft wrap-anywhere">{about}</p>
      </div>
      {children}
    </li>
  )
}

function Keep({ name }: { name: string }) {
  return (
    <SubmitButton kind="plain">
      <Sentence
        of={m.security_keep_name}
        with={{ name }}
        parts={{ span: (children) => <span className="visually-hidden">{children}</span> }}
      />
    </SubmitButton>
  )
}

/** What cannot be kept, and the settings that stay as somebody set them. */
function Ended({ restored: { removed, settings } }: { restored: Restored }) {
  const facts = removedKinds
    .filter((kind) => kind !== 'agents' && kind !== 'webhooks' && removed[kind].length > 0)
    .map((kind) => ({ name: removedLabels[kind], value: removed[kind].length }))
  const changed = settingWords(settings)
  return (
    <>
      <SplitSection
        id="ended"
        title={m.security_changes_state_ended()}
        lead={m.security_restored_ended_intro()}
      >
        {facts.length === 0 ? <p>{m.security_nothing_else_was_set_up()}</p> : <Facts facts={facts} />}
        {removed.keys.length === 0 ? null : (
          <p className="mt-4 text-sm text-soft">
            <Sentence
              of={m.security_restored_rotate_key_note}
              parts={{ link: (children) => <Link href="/allowed#agents">{children}</Link> }}
            />
          </p>
        )}
      </SplitSection>
      {changed.length === 0 ? null : (
        <SplitSection
          id="settings"
          title={m.security_check_your_settings()}
          lead={m.security_they_were_changed_and_stay()}
        >
          <p>
            <Sentence
              of={m.security_changed_changed_check_your_profile_your}
              with={{ changed: listWithAnd(changed) }}
              parts={{
                link: (children) => <Link href="/profile">{children}</Link>,
                link2: (children) => <Link href="/notifications">{children}</Link>,
                link3: (children) => <Link href="/security">{children}</Link>,
              }}
            />
          </p>
        </SplitSection>
      )}
    </>
  )
}
