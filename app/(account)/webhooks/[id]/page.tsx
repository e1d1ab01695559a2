import type { Metadata } from 'next'
import { answerNotFound } from '@/app/_web/answer-not-found'
import { requireViewer } from '@/app/_web/viewer'
import { NotFoundPage } from '@/components/not-found-page'
import { withProblemPage, withProblemTitle } from '@/components/problem-page'
import { BackLink } from '@/components/ui/back-link'
import { Confirm } from '@/components/ui/confirm'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Card, Notice, Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { readClock } from '@/lib/kernel/clock'
import { changeWebhook, deleteWebhook, switchWebhook, testWebhook } from '../actions'
import { WebhookFields } from '../fields'
import { kindsWords } from '../kinds'
import { findWebhook, nameOf, readDeliveries, statuses, type Webhook } from '../read'
import { Receiver } from '../receiver'
import { disabledWords } from '../words'
import { Deliveries } from './deliveries'
import { RotateSecret } from './rotate-secret'
import { TestOutcome } from './test-outcome'

interface WebhookPageProps {
  params: Promise<{ id: string }>
  searchParams: Promise<{ status?: string | string[]; cursor?: string | string[] }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: WebhookPageProps): Promise<Metadata> {
  const { id } = await params
  await requireViewer(`/webhooks/${encodeURIComponent(id)}`)
  const webhook = await findWebhook(id)
  return { title: webhook === null ? 'Webhook' : nameOf(webhook), robots: { index: false } }
})

export default withProblemPage(async function WebhookPage({ params, searchParams }: WebhookPageProps) {
  const { id } = await params
  await requireViewer(`/webhooks/${encodeURIComponent(id)}`)
  const webhook = await findWebhook(id)
  if (webhook === null) {
    answerNotFound()
    return <NotFoundPage />
  }
  const { status: wanted, cursor } = await searchParams
  const status = statuses.find((name) => name === wanted)
  const isFirst = typeof cursor !== 'string'
  const page = await readDeliveries(id, {
    ...(status === undefined ? {} : { status }),
    ...(isFirst ? {} : { cursor }),
  })
  const now = readClock()
  return (
    <>
      <Head webhook={webhook} />
      <Test webhook={webhook} />
      <Deliveries webhook={webhook} page={page} status={status} isFirst={isFirst} now={now} />
      <Section id="settings" title="Settings">
        <Card>
          <ActionForm action={changeWebhook} label="Settings" className="gap-8">
            <input type="hidden" name="webhook_id" value={id} />
            <WebhookFields webhook={webhook} />
            <SubmitButton kind="plain">Save</SubmitButton>
          </ActionForm>
        </Card>
      </Section>
      <Secret webhook={webhook} now={now} />
      <div className="grid gap-x-12 md:grid-cols-2">
        <Switch webhook={webhook} />
        <Delete webhook={webhook} />
      </div>
    </>
  )
})

function Head({ webhook }: { webhook: Webhook }) {
  return (
    <header className="mb-10">
      <BackLink href="/webhooks">All webhooks</BackLink>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="wrap-anywhere">{nameOf(webhook)}</h1>
        <Pill tone={webhook.enabled ? 'good' : 'bad'}>{webhook.enabled ? 'On' : 'Off'}</Pill>
      </div>
      <p className="mt-3">
        <code className="wrap-anywhere">{webhook.url}</code>
      </p>
      <p className="mt-1 text-sm text-soft wrap-anywhere">
        {kindsWords(webhook.kinds)}, since <Time at={webhook.created_at} dateOnly />
      </p>
    </header>
  )
}

function Test({ webhook }: { webhook: Webhook }) {
  if (!webhook.enabled)
    return (
      <div className="mb-14">
        <Notice
          tone="bad"
          title={webhook.disabled_reason ? disabledWords[webhook.disabled_reason] : 'It is off.'}
        >
          Nothing is sent meanwhile. What was missed can be sent again once it is{' '}
          <a href="#switch" className="underline">
            switched on
          </a>
          .
        </Notice>
      </div>
    )
  return (
    <Section id="test" title="Test" lead="A real message, sent now, the way every other one goes.">
      <ActionForm action={testWebhook} label="Test">
        <input type="hidden" name="webhook_id" value={webhook.webhook_id} />
        <SubmitButton pending="Waiting for its answer …">Send a test</SubmitButton>
        <TestOutcome />
      </ActionForm>
    </Section>
  )
}

function Secret({ webhook, now }: { webhook: Webhook; now: Date }) {
  const until = webhook.secret_rotating_until
  return (
    <Section
      id="secret"
      title="Secret"
      lead="Messages are signed with it, so that your receiver knows them for ours."
    >
      {until ? (
        <p className="mb-5 text-sm">
          The old secret signs beside the new one until <Time at={until} />, that is{' '}
          <Time at={until} now={now} />.
        </p>
      ) : null}
      <div className="grid min-w-0 gap-6">
        <RotateSecret webhookId={webhook.webhook_id} />
        <details>
          <summary className="min-h-11 content-center text-sm font-semibold">
            How a receiver checks it
          </summary>
          <div className="mt-3">
            <Receiver />
          </div>
        </details>
      </div>
    </Section>
  )
}

function Switch({ webhook }: { webhook: Webhook }) {
  const { enabled, webhook_id } = webhook
  const title = enabled ? 'Switch off' : 'Switch on'
  return (
    <Section
      id="switch"
      title={title}
      lead={
        enabled
          ? 'What waits is dropped; each message can be sent again later.'
          : 'It starts with a clean record.'
      }
    >
      <ActionForm action={switchWebhook} label={title}>
        <input type="hidden" name="webhook_id" value={webhook_id} />
        <input type="hidden" name="to" value={enabled ? 'off' : 'on'} />
        <SubmitButton kind={enabled ? 'plain' : 'primary'}>
          {enabled ? 'Switch it off' : 'Switch it on'}
        </SubmitButton>
      </ActionForm>
    </Section>
  )
}

function Delete({ webhook }: { webhook: Webhook }) {
  return (
    <Section id="delete" title="Delete" lead="With its secret and everything listed above.">
      <Confirm
        trigger="Delete it"
        title="Delete this webhook?"
        text={`We stop telling ${new URL(webhook.url).host}, and its deliveries are forgotten. It cannot be undone.`}
      >
        <ActionForm action={deleteWebhook} label="Delete this webhook">
          <input type="hidden" name="webhook_id" value={webhook.webhook_id} />
          <SubmitButton kind="danger">Delete it for good</SubmitButton>
        </ActionForm>
      </Confirm>
    </Section>
  )
}
