/**
 * The messages to sites whose sign-ins end (OpenID Connect Back-Channel Logout). The worker sends them, so this does not load the library of the
 * authorization server.
 */
import { randomUUID } from 'node:crypto'
import { importJWK, type JWK, SignJWT } from 'jose'
import { send } from '@/lib/domain/webhooks/send'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { config } from '@/lib/kernel/config'
import { minute } from '@/lib/kernel/runtime/clock'
import { openOAuthKey, readOAuthKeys } from './keys'

const timeoutMs = 5000
export const siteLogoutRetries = [5, 60, 600, 3600]

/** The member of `events` that makes a token a logout token (OpenID Connect Back-Channel Logout 1.0, 2.4). */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** Tells a site that a sign-in has ended. Throws when it did not accept the message. */
export async function sendSiteLogout(
  { url, site_id, sid, subject, alg }: OutboxPayloads['site_logout'],
  now: Date,
  attempt: number,
): Promise<void> {
  const key = (await readOAuthKeys(now)).find((known) => known.alg === alg)
  if (key === undefined) return
  const { kid } = key
  const token = await new SignJWT({ sid, events: { [logoutEvent]: {} } })
    .setProtectedHeader({ alg, typ: 'logout+jwt', kid })
    .setIssuer(config().baseUrl)
    .setAudience(site_id)
    .setSubject(subject)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + 2 * minute * 1000))
    .sign(await importJWK(openOAuthKey(key) as JWK, alg))
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const { error } = await send(
    url,
    headers,
    new URLSearchParams({ logout_token: token }).toString(),
    timeoutMs,
  )
  // After the last attempt the row is deleted: sign-ins end with their sessions anyway.
  if (error !== null && attempt <= siteLogoutRetries.length)
    throw new Error(`the site did not accept the logout token: ${error}`)
}
