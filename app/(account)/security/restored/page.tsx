import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { BackLink } from '@/components/ui/back-link'
import { SubmitButton } from '@/components/ui/form'
import { SplitSection } from '@/components/ui/split-section'
import { Empty, Facts, PageHead, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { removedKinds, removedLabels, settingLabels } from '@/lib/kernel/text/removed-words'
import { AgentStatus } from '../../agents/agent-status'
import { type Agent, readAgents } from '../../agents/read'
import { nameOf, readWebhooks, type Webhook } from '../../webhooks/read'
import { keepAgent, keepWebhook } from './actions'
import { findRestored, type Restored } from './read'

export const metadata: Metadata = { title: 'Restored account', robots: { index: false } }

/** After the undo of a change of address: what was stopped, and what the owner can keep. */
export default withProblemPage(async function RestoredPage() {
  await requireViewer('/security/restored')
  const restored = await findRestored()
  if (restored === null)
    return (
      <>
        <Head lead="When you undo a change of your email address, this page shows what was stopped." />
        <Empty title="Nothing was undone">Your email address was never restored with a link.</Empty>
      </>
    )
  const [{ items: agents }, webhooks] = await Promise.all([readAgents(), readWebhooks()])
  const { removed } = restored
  return (
    <>
      <Head
        lead={
          <>
            Your earlier email address was restored on <Time at={restored.at} />. Somebody else may have used
            your account, so we stopped everything that was set up since the change. Keep only what you
            recognise.
          </>
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
      <BackLink href="/security">Security</BackLink>
      <PageHead title="Restored account" lead={lead} />
    </>
  )
}

function Agents({ agents }: { agents: Agent[] }) {
  if (agents.length === 0) return null
  return (
    <SplitSection
      id="agents"
      title="Agents"
      lead="Suspended: they can't do anything. An agent that you keep works with the key that it has."
    >
      <Announcements>
        <ul className="-mt-4 divide-y divide-line border-b border-line">
          {agents.map((agent) => (
            <Item
              key={agent.agent_id}
              href={`/agents/manage/${agent.agent_id}`}
              name={agent.agent_name}
              state={<AgentStatus status={agent.status} />}
              about={
                <>
                  {agent.agent_type}, registered <Time at={agent.created_at} />
                </>
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
    <SplitSection
      id="webhooks"
      title="Webhooks"
      lead="Switched off: they send nothing. Check the URL before you keep one: somebody may have changed it or read its secret."
    >
      <Announcements>
        <ul className="-mt-4 divide-y divide-line border-b border-line">
          {webhooks.map((webhook) => (
            <Item
              key={webhook.webhook_id}
              href={`/webhooks/${webhook.webhook_id}`}
              name={nameOf(webhook)}
              state={<Pill tone={webhook.enabled ? 'good' : 'bad'}>{webhook.enabled ? 'On' : 'Off'}</Pill>}
              about={<code>{webhook.url}</code>}
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
          <Link href={href}>{name}</Link>
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
      Keep<span className="visually-hidden"> {name}</span>
    </SubmitButton>
  )
}

/** What cannot be kept, and the settings that stay as somebody set them. */
function Ended({ restored: { removed, settings } }: { restored: Restored }) {
  const facts = removedKinds
    .filter((kind) => kind !== 'agents' && kind !== 'webhooks' && removed[kind].length > 0)
    .map((kind) => ({ name: removedLabels[kind], value: removed[kind].length }))
  const changed = settings.flatMap((event) => settingLabels[event] ?? [])
  return (
    <>
      <SplitSection
        id="ended"
        title="Ended"
        lead="This can't be kept. Approve, share, block or add again what you need."
      >
        {facts.length === 0 ? <p>Nothing else was set up.</p> : <Facts facts={facts} />}
        {removed.keys.length === 0 ? null : (
          <p className="mt-4 text-sm text-soft">
            An agent whose key ended needs a new one: <Link href="/agents">rotate its key</Link>.
          </p>
        )}
      </SplitSection>
      {changed.length === 0 ? null : (
        <SplitSection id="settings" title="Check your settings" lead="They were changed and stay.">
          <p>
            Changed: {listWithAnd(changed)}. Check your <Link href="/profile">profile</Link>, your{' '}
            <Link href="/notifications">notifications</Link> and your{' '}
            <Link href="/security">phone number</Link>.
          </p>
        </SplitSection>
      )}
    </>
  )
}
