import { config } from '@/lib/kernel/config'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

// The address of this service is known when it runs, not when it is built.
export const dynamic = 'force-dynamic'

/** RFC 9116 recommends less than a year. The text is made for each request, so it never expires while the service runs. */
const lifetimeDays = 180

/** Answers how to report a security problem to the host of this service (RFC 9116). */
export function GET(): Response {
  const { baseUrl } = config()
  const lines = [
    `Contact: ${baseUrl}/support`,
    `Expires: ${secondsAfter(readClock(), lifetimeDays * day).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
  ]
  return new Response(`${lines.join('\n')}\n`, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
