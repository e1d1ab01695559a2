import { isIPv6 } from 'node:net'
import { headers } from 'next/headers'
import { socketAddress } from '@/lib/http/address'
import { config } from '@/lib/kernel/config'
import { requestFor } from './call-api'

/**
 * Whether the viewer may read what was mailed and texted: only where messages are kept instead of sent, on this very machine,
 * and under our own name, so that no web site whose name was pointed at this machine can read along (DNS rebinding).
 */
export async function mayReadOutbox(): Promise<boolean> {
  const { hasOutbox, smtp, twilio, baseUrl } = config()
  if (!hasOutbox || (smtp !== null && twilio !== null)) return false
  const host = (await headers()).get('host')?.replace(/:\d+$/, '') ?? ''
  if (![new URL(baseUrl).hostname, 'localhost', '127.0.0.1', '[::1]'].includes(host)) return false
  const request = await requestFor('GET')
  // Next names the socket in this header where there is none; any other entry came through a proxy or a tunnel.
  const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  return [socketAddress(request), ...hops.filter((hop) => hop !== '')].every(isLoopback)
}

function isLoopback(address: string | null): boolean {
  if (address === null) return false
  return isIPv6(address) ? /^(::1$|::ffff:127\.)/.test(address) : address.startsWith('127.')
}
