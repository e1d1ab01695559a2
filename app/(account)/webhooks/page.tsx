import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { PageHead, Pill } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { DeliveryBars } from './delivery-bars'
import { type Delivery, kindsText, nameOf, readDeliveries, readWebhooks, type Webhook } from './read'
import { disabledTexts } from './words'

export const generateMetadata = (): Metadata => ({ title: m.webhooks_webhooks(), robots: { index: false } })

export default withProblemPage(async function WebhooksPage() {
  await requireViewer('/webhooks')
  const webhooks = await readWebhooks()
  const recent = await Promise.all(
    webhooks.map(({ webhook_id }) => readDeliveries(webhook_id, { limit: '24' })),
  )
  const isEmpty = webhooks.length === 0
  return (
    <>
      <PageHead title={m.webhooks_webhooks()} lead={m.webhooks_page_intro()}>
        {isEmpty ? null : (
          <ButtonLink kind="primary" href="/webhooks/new">
            {m.webhooks_add_a_webhook()}
          </ButtonLink>
        )}
      </PageHead>
      {isEmpty ? (
        <NoWebhooks />
      ) : (
        <ul className="border-b border-line sm:-mx-3">
          {webhooks.map((webhook, index) => (
            <WebhookRow key={webhook.webhook_id} webhook={webhook} deliveries={recent[index]?.items ?? []} />
          ))}
        </ul>
      )}
    </>
  )
})

function WebhookRow({ webhook, deliveries }: { webhook: Webhook; deliveries: Delivery[] }) {
  return (
    <li className="relative grid gap-x-8 gap-y-4 border-t border-line py-6 hover:bg-surface sm:grid-cols-[minmax(0,1fr)_13.5rem] sm:px-3">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-lg wrap-anywhere">
            {/* The whole row is the link. */}
            <Link
              href={`/webhooks/${webhook.webhook_id}`}
              className="no-underline after:absolute after:inset-0 hover:underline"
            >
              <bdi translate="no">{nameOf(webhook)}</bdi>
            </Link>
          </h2>
          <Pill tone={webhook.enabled ? 'good' : 'bad'}>
            {webhook.enabled ? m.webhooks_on() : m.webhooks_off()}
          </Pill>
        </div>
        <p className="mt-1 text-sm text-soft">
          <code translate="no" className="wrap-anywhere">
            {webhook.url}
          </code>
        </p>
        <p className="mt-2 text-sm wrap-anywhere">{kindsText(webhook.kinds)}</p>
        {webhook.disabled_reason ? (
          <p className="mt-2 text-sm text-bad">{disabledTexts[webhook.disabled_reason]}</p>
        ) : null}
      </div>
      <DeliveryBars deliveries={deliveries} />
    </li>
  )
}

function NoWebhooks() {
  return (
    <div className="border-y border-line py-10">
      <Ripples />
      <h2 className="mt-6">{m.webhooks_no_webhooks_yet()}</h2>
      <p className="mt-2 max-w-xl text-soft">{m.webhooks_empty_body()}</p>
      <p className="mt-8">
        <ButtonLink kind="primary" href="/webhooks/new">
          {m.webhooks_add_your_first_webhook()}
        </ButtonLink>
      </p>
    </div>
  )
}

/** Drawing: a drop and its ripples. */
function Ripples() {
  return (
    <svg viewBox="0 0 220 82" aria-hidden="true" className="h-20 w-56" fill="none">
      {[20, 46, 74, 104].map((radius, index) => (
        <ellipse
          key={radius}
          cx="110"
          cy="50"
          rx={radius}
          ry={radius * 0.28}
          className="stroke-good"
          strokeWidth="1.5"
          opacity={0.9 - index * 0.22}
        />
      ))}
      <path d="M110 4c3 6 7 9 7 14a7 7 0 0 1-14 0c0-5 4-8 7-14Z" className="fill-good" />
    </svg>
  )
}
