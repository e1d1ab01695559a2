import { ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { Refresh } from '@/components/refresh'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { redeliver } from '../actions'
import { DeliveryBars } from '../delivery-bars'
import { type Delivery, type DeliveryPage, type Status, statuses, type Webhook } from '../read'
import { deliveryWords, errorWords } from '../words'
import { Answered } from './answered'

/** A page that waits for an attempt looks again by itself when the attempt is no further away. */
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
    <Section id="deliveries" title="Deliveries" lead="What we sent, and what came back. Kept for 30 days.">
      {isFirst && status === undefined && page.items.length > 0 ? (
        <div className="mb-4">
          <DeliveryBars deliveries={page.items} />
        </div>
      ) : null}
      <nav aria-label="Which deliveries" className="mb-4">
        <ul className="-mx-3 flex flex-wrap text-sm">
          <Filter href={`${path}#deliveries`} isHere={status === undefined}>
            All
          </Filter>
          {statuses.map((name) => (
            <Filter key={name} href={`${path}?status=${name}#deliveries`} isHere={status === name}>
              {deliveryWords[name].word}
            </Filter>
          ))}
        </ul>
      </nav>
      {page.items.length === 0 ? (
        <p className="border-y border-line py-8 text-sm text-soft">
          {status === undefined ? 'Nothing sent yet. A test is the first.' : 'None of these.'}
        </p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {page.items.map((delivery) => (
            <DeliveryItem key={delivery.delivery_id} delivery={delivery} isOn={webhook.enabled} now={now} />
          ))}
        </ul>
      )}
      <p className="mt-3 flex gap-6 text-sm">
        {isFirst ? null : <PageLink href={`${path}?${query}#deliveries`}>Newest</PageLink>}
        {page.next_cursor === null ? null : (
          <PageLink href={`${path}?${query}cursor=${page.next_cursor}#deliveries`}>Older</PageLink>
        )}
      </p>
      {isSoon ? <Refresh /> : null}
    </Section>
  )
}

function Filter({ href, isHere, children }: { href: string; isHere: boolean; children: string }) {
  return (
    <li>
      <Link
        href={href}
        aria-current={isHere ? 'true' : undefined}
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

function DeliveryItem({ delivery, isOn, now }: { delivery: Delivery; isOn: boolean; now: Date }) {
  const { word, tone } = deliveryWords[delivery.status]
  const { attempts, next_attempt_at } = delivery
  return (
    <li>
      <details className="group">
        <summary className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
          <ChevronRight
            aria-hidden="true"
            size={16}
            className="-me-2 shrink-0 text-soft transition-transform duration-150 group-open:rotate-90"
          />
          <span className="font-mono font-semibold wrap-anywhere">{delivery.type}</span>
          <Pill tone={tone}>{word}</Pill>
          <span className="text-soft tabular-nums">
            {attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}
            {next_attempt_at ? (
              <>
                , next <Time at={next_attempt_at} now={now} />
              </>
            ) : null}
          </span>
          <span className="text-soft sm:ms-auto">
            <Time at={delivery.created_at} now={now} />
          </span>
        </summary>
        <div className="grid gap-5 pt-1 pb-6 sm:ps-4">
          <p className="text-sm text-soft">
            <code className="wrap-anywhere">{delivery.message_id}</code>
          </p>
          <Attempts attempts={attempts} />
          {isOn ? (
            <ActionForm action={redeliver} label={`Send ${delivery.type} again`} className="gap-3">
              <input type="hidden" name="webhook_id" value={delivery.webhook_id} />
              <input type="hidden" name="delivery_id" value={delivery.delivery_id} />
              <SubmitButton kind="plain">
                {delivery.status === 'pending' ? 'Send it now' : 'Send it again'}
              </SubmitButton>
            </ActionForm>
          ) : (
            <p className="text-sm text-soft">Switch the webhook on to send it again.</p>
          )}
        </div>
      </details>
    </li>
  )
}

function Attempts({ attempts }: { attempts: Delivery['attempts'] }) {
  if (attempts.length === 0) return null
  return (
    <ol className="grid gap-4">
      {attempts.map((attempt) => (
        <li key={attempt.attempted_at} className="grid gap-2 border-s-2 border-line ps-4">
          <p className="text-sm">
            <Time at={attempt.attempted_at} />
            {attempt.error ? <span className="text-bad">. {errorWords[attempt.error]}</span> : null}
          </p>
          <Answered
            statusCode={attempt.status_code}
            latencyMs={attempt.latency_ms}
            response={attempt.response}
          />
        </li>
      ))}
    </ol>
  )
}
