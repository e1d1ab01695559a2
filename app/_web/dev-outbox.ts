import { cookies, headers } from 'next/headers'
import { hasOutboxPage, isLocalBrowser, isOutboxCookie, outboxCookie } from '@/lib/http/dev-outbox'
import { readClock } from '@/lib/kernel/clock'

/**
 * What the viewer's browser may do with the development outbox: `open` it, `locked` when it runs on this machine but did not
 * come through the address printed at the start, or `none`.
 */
export async function outboxAccess(): Promise<'open' | 'locked' | 'none'> {
  if (!hasOutboxPage() || !isLocalBrowser(await headers())) return 'none'
  const cookie = (await cookies()).get(outboxCookie)?.value ?? ''
  return isOutboxCookie(cookie, readClock()) ? 'open' : 'locked'
}
