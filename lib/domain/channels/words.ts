import type { Sent } from '@/lib/domain/webhooks/send'
import { m } from '@/lib/kernel/messages'
import type { ChannelSent } from './send'

const details: Record<NonNullable<Sent['error']>, () => string> = {
  timeout: m.channels_error_timeout,
  refused: m.channels_error_refused,
  unreachable: m.channels_error_unreachable,
  reset: m.channels_error_reset,
  name_not_found: m.channels_error_name_not_found,
  blocked_address: m.channels_error_blocked_address,
  tls: m.channels_error_tls,
  redirect: m.channels_error_redirect,
  http_status: m.channels_error_http_status,
  invalid_response: m.channels_error_invalid_response,
  network: m.channels_error_network,
}

/** Returns in words what went wrong. Null after a success. */
export function errorDetail({ error, hasEnded }: ChannelSent): string | null {
  if (hasEnded) return m.channels_error_ended()
  return error === null ? null : details[error]()
}
