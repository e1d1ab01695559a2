import { cookies, headers } from 'next/headers'
import { hasOutboxPage, isLocalBrowser, isOutboxCookie, outboxCookie } from '@/lib/http/dev-outbox'
import { readClock } from '@/lib/kernel/clock'

/**
 * Returns whether the viewer's browser may open the development outbox. `locked`: the browser runs on this machine, but has not opened
 * the address that the server printed at its start.
 */
export async function outboxAccess(): Promise<'open' | 'locked' | 'none'> {
  if (!hasOutboxPage() || !isLocalBrowser(await headers())) return 'none'
  const cookie = (await cookies()).get(outboxCookie)?.value ?? ''
  return isOutboxCookie(cookie, readClock()) ? 'open' : 'locked'
}
