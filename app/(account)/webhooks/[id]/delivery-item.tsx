import { ChevronRight } from 'lucide'
import { Sentence } from '@/components/sentence'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { redeliver } from '../actions'
import type { Delivery } from '../read'
import { errorTexts, statusLabels } from '../words'
import { ReceiverAnswer } from './receiver-answer'

interface DeliveryItemProps {
  delivery: Delivery
  /** Whether the webhook is on, so that the delivery can be sent again. */
  isOn: boolean
  now: Date
}

export function DeliveryItem({ delivery, isOn, now }: DeliveryItemProps) {
  return (
    <li>
      <details className="group/delivery">
        <Summary delivery={delivery} now={now} />
        <div className="grid gap-5 pt-1 pb-6 sm:ps-4">
          <p className="text-sm text-soft">
            <code translate="no" className="wrap-anywhere">
              {delivery.message_id}
            </code>
          </p>
          <Attempts attempts={delivery.attempts} />
          {isOn ? (
            <SendAgainForm delivery={delivery} />
          ) : (
            <p className="text-sm text-soft">{m.webhooks_switch_webhook_on_send_this_again()}</p>
          )}
        </div>
      </details>
    </li>
  )
}

function Summary({ delivery, now }: { delivery: Delivery; now: Date }) {
  const { attempts, next_attempt_at } = delivery
  const { label, tone } = statusLabels[delivery.status]
  return (
    <summary className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
      <Icon
        of={ChevronRight}
        size={16}
        className="-me-2 shrink-0 text-soft transition-transform duration-150 group-open/delivery:rotate-90"
      />
      <span translate="no" className="font-mono font-semibold wrap-anywhere">
        {delivery.type}
      </span>
      <Pill tone={tone}>{label}</Pill>
      <span className="text-soft tabular-nums">
        {next_attempt_at ? (
          <Sentence
            of={m.webhooks_attempts_and_next}
            with={{ count: attempts.length }}
            parts={{ time: () => <Time at={next_attempt_at} now={now} /> }}
          />
        ) : (
          m.webhooks_attempts({ count: attempts.length })
        )}
      </span>
      <span className="text-soft sm:ms-auto">
        <Time at={delivery.created_at} now={now} />
      </span>
    </summary>
  )
}

function SendAgainForm({ delivery }: { delivery: Delivery }) {
  return (
    <ActionForm
      action={redeliver}
      label={m.webhooks_send_type_again({ type: delivery.type })}
      className="gap-3"
    >
      <input type="hidden" name="webhook_id" value={delivery.webhook_id} />
      <input type="hidden" name="delivery_id" value={delivery.delivery_id} />
      <SubmitButton kind="plain">
        {delivery.status === 'pending' ? m.webhooks_send_now() : m.webhooks_send_again()}
      </SubmitButton>
    </ActionForm>
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
            {attempt.error ? <span className="text-bad">. {errorTexts[attempt.error]}</span> : null}
          </p>
          <ReceiverAnswer
            statusCode={attempt.status_code}
            latencyMs={attempt.latency_ms}
            response={attempt.response}
          />
        </li>
      ))}
    </ol>
  )
}
