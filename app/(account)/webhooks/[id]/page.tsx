import type { Metadata } from 'next'
import { MissingPage } from '@/app/_shell/missing-page'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import { Refresh } from '@/components/refresh'
import { Sentence } from '@/components/sentence'
import { BackLink } from '@/components/ui/back-link'
import { Link } from '@/components/ui/link'
import { Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { DeliveryBars } from '../delivery-bars'
import {
  type DeliveryPage,
  findWebhook,
  kindsText,
  nameOf,
  readDeliveries,
  type Status,
  statuses,
  type Webhook,
} from '../read'
import { statusLabels } from '../words'
import { DeliveryItem } from './delivery-item'
import {
  DeleteSection,
  SecretSection,
  SettingsSection,
  SwitchedOffNotice,
  SwitchSection,
  TestSection,
} from './sections'

/** The page refreshes itself while an attempt is due within this time. */
const soonMs = 60_000

interface DeliveriesProps {
  webhook: Webhook
  page: DeliveryPage
  status: Status | undefined
  isFirst: boolean
  now: Date
}

function Deliveries({ webhook, page, status, isFirst, now }: DeliveriesProps) {
  const path = `/webhooks/${webhook.webhook_id}`
  const query = status === undefined ? '' : `status=${status}&`
  const isSoon = page.items.some(
    ({ next_attempt_at }) => next_attempt_at !== null && Date.parse(next_attempt_at) < now.getTime() + soonMs,
  )
  return (
    <Section id="deliveries" title={m.webhooks_deliveries()} lead={m.webhooks_deliveries_section_intro()}>
      {isFirst && status === undefined && page.items.length > 0 ? (
        <div className="mb-4">
          <DeliveryBars deliveries={page.items} />
        </div>
      ) : null}
      <StatusFilter path={path} status={status} />
      {page.items.length === 0 ? (
        <p className="border-y border-line py-8 text-sm text-soft">
          {status === undefined ? m.webhooks_no_deliveries_yet() : statusLabels[status].none}
        </p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {page.items.map((delivery) => (
            <DeliveryItem key={delivery.delivery_id} delivery={delivery} isOn={webhook.enabled} now={now} />
          ))}
        </ul>
      )}
      <p className="mt-3 flex gap-6 text-sm">
        {isFirst ? null : <PageLink href={`${path}?${query}#deliveries`}>{m.webhooks_newest()}</PageLink>}
        {page.next_cursor === null ? null : (
          <PageLink href={`${path}?${query}cursor=${page.next_cursor}#deliveries`}>
            {m.webhooks_older()}
          </PageLink>
        )}
      </p>
      {isSoon ? <Refresh /> : null}
    </Section>
  )
}

function StatusFilter({ path, status }: { path: string; status: Status | undefined }) {
  return (
    <nav aria-label={m.webhooks_filter_deliveries()} className="mb-4">
      <ul className="-mx-3 flex flex-wrap text-sm">
        <FilterLink href={`${path}#deliveries`} isCurrent={status === undefined}>
          {m.webhooks_all()}
        </FilterLink>
        {statuses.map((name) => (
          <FilterLink key={name} href={`${path}?status=${name}#deliveries`} isCurrent={status === name}>
            {statusLabels[name].label}
          </FilterLink>
        ))}
      </ul>
    </nav>
  )
}

function FilterLink({ href, isCurrent, children }: { href: string; isCurrent: boolean; children: string }) {
  return (
    <li>
      <Link
        href={href}
        aria-current={isCurrent ? 'true' : undefined}
        className="inline-flex min-h-11 items-center px-3 text-soft no-underline hover:text-ink aria-[current=true]:font-semibold aria-[current=true]:text-ink aria-[current=true]:underline"
      >
        {children}
      </Link>
    </li>
  )
}

function PageLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="inline-flex min-h-11 items-center text-soft underline hover:text-ink">
      {children}
    </Link>
  )
}

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
        <h1 translate="no" className="wrap-anywhere">
          {nameOf(webhook)}
        </h1>
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
