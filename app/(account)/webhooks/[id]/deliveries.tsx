import { Refresh } from '@/components/refresh'
import { Link } from '@/components/ui/link'
import { Section } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { DeliveryBars } from '../delivery-bars'
import { type DeliveryPage, type Status, statuses, type Webhook } from '../read'
import { statusLabels } from '../words'
import { DeliveryItem } from './delivery-item'

/** The page refreshes itself while an attempt is due within this time. */
const soonMs = 60_000

interface DeliveriesProps {
  webhook: Webhook
  page: DeliveryPage
  status: Status | undefined
  isFirst: boolean
  now: Date
}

export function Deliveries({ webhook, page, status, isFirst, now }: DeliveriesProps) {
  const path = `/webhooks/${webhook.webhook_id}`
  const query = status === undefined ? '' : `status=${status}&`
  const isSoon = page.items.some(
    ({ next_attempt_at }) => next_attempt_at !== null && Date.parse(next_attempt_at) < now.getTime() + soonMs,
  )
  return (
    <Section
      id="deliveries"
      title={m.webhooks_deliveries()}
      lead={m.webhooks_what_we_sent_what_your_receiver()}
    >
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
