import { m } from '@/lib/kernel/messages'
import type { Delivery, Webhook } from './read'

type SendError = NonNullable<Delivery['attempts'][number]['error']>

export const errorTexts: Record<SendError, string> = {
  get timeout() {
    return m.webhooks_no_answer_within_15_seconds()
  },
  get refused() {
    return m.webhooks_the_receiver_refused_the_connection()
  },
  get unreachable() {
    return m.webhooks_the_receiver_cant_be_reached()
  },
  get reset() {
    return m.webhooks_receiver_closed_connection_before_it_answered()
  },
  get name_not_found() {
    return m.webhooks_the_host_name_cant_be_resolved()
  },
  get blocked_address() {
    return m.webhooks_private_address_failed()
  },
  get tls() {
    return m.webhooks_the_receivers_tls_certificate_isnt_valid()
  },
  get redirect() {
    return m.webhooks_redirect_failed()
  },
  get http_status() {
    return m.webhooks_bad_status_failed()
  },
  get invalid_response() {
    return m.webhooks_the_answer_wasnt_valid_http()
  },
  get network() {
    return m.webhooks_the_network_failed()
  },
}

export const disabledTexts: Record<NonNullable<Webhook['disabled_reason']>, string> = {
  get owner() {
    return m.webhooks_you_switched_this_webhook_off()
  },
  get gone() {
    return m.webhooks_off_gone_note()
  },
  get failing() {
    return m.webhooks_off_failing_note()
  },
  get unconfirmed() {
    return m.webhooks_prepared_by_device_note()
  },
  get email_restored() {
    return m.webhooks_off_email_restored_note()
  },
}

export const statusLabels = {
  delivered: {
    get label() {
      return m.webhooks_delivered()
    },
    get none() {
      return m.webhooks_no_delivered_deliveries()
    },
    counted: m.webhooks_count_delivered,
    at: m.webhooks_delivery_delivered,
    tone: 'good',
  },
  pending: {
    get label() {
      return m.webhooks_waiting()
    },
    get none() {
      return m.webhooks_no_waiting_deliveries()
    },
    counted: m.webhooks_count_waiting,
    at: m.webhooks_delivery_waiting,
    tone: 'accent',
  },
  failed: {
    get label() {
      return m.webhooks_failed()
    },
    get none() {
      return m.webhooks_no_failed_deliveries()
    },
    counted: m.webhooks_count_failed,
    at: m.webhooks_delivery_failed,
    tone: 'bad',
  },
} as const
