/** Names this service to a push service (RFC 8292). */
import { sign } from 'node:crypto'
import { pushKey } from '@/lib/infrastructure/keys/push-key'
import { secondsAfter } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'

/** Push services accept at most 24 hours. */
const validSeconds = 12 * 3600

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encode({ typ: 'JWT', alg: 'ES256' })

/** Returns the value of the header `Authorization` for messages to `endpoint`. The token is valid at its origin only. */
export function vapidHeader(endpoint: string, now: Date): string {
  const { privateKey, publicKey } = pushKey()
  const exp = Math.floor(secondsAfter(now, validSeconds).getTime() / 1000)
  const claims = { aud: new URL(endpoint).origin, exp, sub: `mailto:${config().supportEmail}` }
  const signed = `${header}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
}
