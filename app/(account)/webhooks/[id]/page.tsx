import type { Metadata } from 'next'
import { MissingPage } from '@/app/_shell/missing-page'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/answer-not-found'
import { requireViewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { BackLink } from '@/components/ui/back-link'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { readClock } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { kindsText } from '../kinds'
import { findWebhook, nameOf, readDeliveries, statuses, type Webhook } from '../read'
import { Deliveries } from './deliveries'
import {
  DeleteSection,
  SecretSection,
  SettingsSection,
  SwitchedOffNotice,
  SwitchSection,
  TestSection,
} from './sections'

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
  return { title: webhook === null ? m.webhooks_webhook() : nameOf(webhook), robots: { index: false } }
})

export default withProblemPage(async function WebhookPage({ params, searchParams }: WebhookPageProps) {
  const { id } = await params
  const viewer = await requireViewer(`/webhooks/${encodeURIComponent(id)}`)
  const webhook = await findWebhook(id)
  if (webhook === null) {
    answerNotFound()
    return <MissingPage kind="webhook" viewer={viewer} />
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
      {webhook.enabled ? <TestSection webhook={webhook} /> : <SwitchedOffNotice webhook={webhook} />}
      <Deliveries webhook={webhook} page={page} status={status} isFirst={isFirst} now={now} />
      <SettingsSection webhook={webhook} />
      <SecretSection webhook={webhook} now={now} />
      <div className="grid gap-x-12 md:grid-cols-2">
        <SwitchSection webhook={webhook} />
        <DeleteSection webhook={webhook} />
      </div>
    </>
  )
})

function Head({ webhook }: { webhook: Webhook }) {
  return (
    <header className="mb-10">
      <BackLink href="/webhooks">{m.webhooks_all_webhooks()}</BackLink>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="wrap-anywhere">{nameOf(webhook)}</h1>
        <Pill tone={webhook.enabled ? 'good' : 'bad'}>
          {webhook.enabled ? m.webhooks_on() : m.webhooks_off()}
        </Pill>
      </div>
      <p className="mt-3">
        <code translate="no" className="wrap-anywhere">
          {webhook.url}
        </code>
      </p>
      <p className="mt-1 text-sm text-soft wrap-anywhere">
        <Sentence
          of={m.webhooks_kinds_added}
          with={{ kinds: kindsText(webhook.kinds) }}
          parts={{ time: () => <Time at={webhook.created_at} dateOnly /> }}
        />
      </p>
    </header>
  )
}
