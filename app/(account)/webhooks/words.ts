import type { Delivery, Webhook } from './read'

type SendError = NonNullable<Delivery['attempts'][number]['error']>

export const errorTexts: Record<SendError, string> = {
  timeout: 'No answer within 15 seconds.',
  refused: 'The receiver refused the connection.',
  unreachable: "The receiver can't be reached.",
  reset: 'The receiver closed the connection before it answered.',
  name_not_found: "The host name can't be resolved.",
  blocked_address: 'The address is private or reserved, so nothing was sent.',
  tls: "The receiver's TLS certificate isn't valid.",
  redirect: "The receiver answered with a redirect. We don't follow redirects.",
  http_status: "The receiver didn't answer with a status from 200 to 299.",
  invalid_response: "The answer wasn't valid HTTP.",
  network: 'The network failed.',
}

export const disabledTexts: Record<NonNullable<Webhook['disabled_reason']>, string> = {
  owner: 'You switched this webhook off.',
  gone: 'Switched off because the receiver answered 410 Gone.',
  failing: 'Switched off because deliveries failed for 120 hours.',
  unconfirmed: 'A device that you allowed prepared this webhook. It gets nothing until you switch it on.',
  email_restored: 'Switched off when your earlier email address was restored.',
}

export const statusLabels = {
  delivered: { label: 'Delivered', tone: 'good' },
  pending: { label: 'Waiting', tone: 'accent' },
  failed: { label: 'Failed', tone: 'bad' },
} as const
