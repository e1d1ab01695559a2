import type { IncomingMessage } from 'node:http'
import { config } from '@/lib/kernel/config'

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/**
 * Gives a form the host of `BASE_URL`, because a proxy may have put its own there, or none. Next refuses a form whose `Origin` is not the host of
 * the request. proxy.ts has the stronger check: it compares `Origin` with `BASE_URL`.
 */
export function setOwnHost({ method = '', headers }: IncomingMessage): void {
  if (safeMethods.includes(method)) return
  headers.host = new URL(config().origin).host
  delete headers['x-forwarded-host']
}
