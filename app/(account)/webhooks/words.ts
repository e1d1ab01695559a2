import type { SendError } from '@/lib/domain/webhooks/send'

export const errorWords: Record<SendError, string> = {
  timeout: 'It did not answer within 15 seconds.',
  refused: 'It refused the connection.',
  unreachable: 'Its address could not be reached.',
  reset: 'It closed the connection before it had answered.',
  name_not_found: 'Its host name does not resolve.',
  blocked_address: 'Its address is private or otherwise special, so nothing was sent.',
  tls: 'Its TLS certificate was not accepted.',
  redirect: 'It answered with a redirect. Those are not followed.',
  http_status: 'It did not answer with a status from 200 to 299.',
  invalid_response: 'Its answer was no HTTP we could read.',
  network: 'The network failed on the way.',
}

export const disabledWords = {
  owner: 'You switched it off.',
  gone: 'It answered 410 Gone, which asks us to stop.',
  failing: 'It had failed for 120 hours.',
} as const

export const deliveryWords = {
  delivered: { word: 'Delivered', tone: 'good' },
  pending: { word: 'Waiting', tone: 'accent' },
  failed: { word: 'Failed', tone: 'bad' },
} as const
