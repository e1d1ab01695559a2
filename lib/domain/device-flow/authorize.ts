/**
 * Sign-in of a device without a browser, such as a command line (RFC 8628). The device shows a user code. A person enters it on a page
 * after a fresh sign-in, sees which device asks, and approves or denies. The device polls until then, and gets an ordinary session.
 */
import { db } from '@/lib/db/client'
import { minute, secondsAfter } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import type { AnonymousContext } from '@/lib/kernel/context'
import { mintToken } from '@/lib/kernel/secret-token'
import { hashUserCode, makeUserCode, showUserCode } from './user-code'

const lifetimeSeconds = 10 * minute
/** Seconds between two polls, as RFC 8628 suggests (section 3.2). */
const intervalSeconds = 5

/** Starts the sign-in of a device and returns its codes, which are shown only once. */
export async function authorizeDevice({ now, ip, userAgent }: AnonymousContext, clientName: string) {
  const { id, token, secretHash } = mintToken('device_request', now)
  const expiresAt = secondsAfter(now, lifetimeSeconds)
  let code: string
  let stored: number
  do {
    code = makeUserCode()
    // Two live requests never have the same user code: a new code is drawn instead.
    stored = await db().run`
      INSERT INTO "DeviceRequest"
        ("id", "secretHash", "userCodeHash", "clientName", "ip", "userAgent", "intervalSeconds", "createdAt", "expiresAt")
      VALUES (${id}, ${secretHash}, ${hashUserCode(code)}, ${clientName}, ${ip}, ${userAgent}, ${intervalSeconds}::int,
        ${now}::timestamptz, ${expiresAt}::timestamptz)
      ON CONFLICT ("userCodeHash") DO NOTHING`
  } while (stored === 0)
  const page = `${config().baseUrl}/device`
  const shown = showUserCode(code)
  return {
    device_code: token,
    user_code: shown,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${shown}`,
    expires_in: lifetimeSeconds,
    interval: intervalSeconds,
  }
}
