import { cookies } from 'next/headers'
import type { BodyOf } from '@/app/beak/_api/lines'
import { cookiePrefix } from '@/lib/kernel/request/session-cookie'
import type { Tier } from '@/lib/kernel/request/tier'
import { day } from '@/lib/kernel/runtime/clock'
import { keyedHash, previousKeyedHash } from '@/lib/kernel/secrets/secrets'
import { email as emailField } from '@/lib/kernel/typed/email'
import { api, type Result } from './api'
import { parseObject } from './form'
import { cookieOptions, sessionToken } from './session-cookie'

/** A cookie as the browser sends it. */
interface DeviceCookie {
  name: string
  value: string
}

/**
 * Returns the names of the cookie for an address, the current name first, or none for an invalid address. Names are keyed hashes, so
 * cookies do not show who has signed in. While the secret is rotated, the previous name is included.
 */
export function deviceCookieNames(prefix: string, address: string): string[] {
  const { success, data } = emailField.safeParse(address)
  if (!success) return []
  const hashes = [keyedHash('subject', `device:${data}`), previousKeyedHash('subject', `device:${data}`)]
  return hashes.flatMap((hash) => (hash === null ? [] : [`${prefix}${hash.toString('hex').slice(0, 16)}`]))
}

/**
 * Returns the cookie to send for an address: its own, under the current or the previous name. Otherwise the first of `kept`, which may
 * belong to the same account under an earlier address. Undefined when `kept` is empty.
 */
export function pickDeviceCookie(kept: DeviceCookie[], names: string[]): DeviceCookie | undefined {
  const own = names.flatMap((name) => kept.filter((cookie) => cookie.name === name))
  return own[0] ?? kept[0]
}

/**
 * Returns the cookies to delete when `token` is stored under `names[0]`: those of the same account under another name, and those
 * beyond `most`.
 */
export function surplusCookies(
  kept: DeviceCookie[],
  names: string[],
  token: string,
  most: number,
): DeviceCookie[] {
  const [current, ...outdated] = names
  return kept
    .filter(({ name }) => name !== current)
    .filter(({ name, value }, index) => value === token || outdated.includes(name) || index >= most - 1)
}

/**
 * Cookies that keep the device tokens of this browser, one for each account that has signed in from it. With its token the
 * browser's codes and attempts are counted separately, so strangers cannot lock it out (contract F, Wrong codes). Signing out keeps them.
 */

/** Limits the accounts of one browser: on a shared computer, more cookies could exceed the size of request headers. */
const cookiesMax = 8

const prefix = () => `${cookiePrefix()}beak.device.`

/** Returns the device cookies of the browser, newest first: token ids sort by time. */
async function deviceCookies(): Promise<DeviceCookie[]> {
  const all = (await cookies()).getAll().filter(({ name }) => name.startsWith(prefix()))
  return all.sort((left, right) => (left.value < right.value ? 1 : -1))
}

/**
 * Returns the field `device_token` for a sign-in. `address` is null for a sign-in with a passkey. Without a cookie for the address,
 * which may have changed, sends the newest token: the API ignores tokens of other accounts.
 */
async function deviceField(address: string | null): Promise<{ device_token?: string }> {
  const kept = await deviceCookies()
  const names = address === null ? [] : deviceCookieNames(prefix(), address)
  const token = pickDeviceCookie(kept, names)?.value
  return token === undefined || token === '' || token.length > 200 ? {} : { device_token: token }
}

/** Stores the device token of a sign-in under the address of the account. For server actions and route handlers. */
async function keepDeviceToken(address: string, token: string): Promise<void> {
  const names = deviceCookieNames(prefix(), address)
  const [name] = names
  if (name === undefined) return
  const surplus = surplusCookies(await deviceCookies(), names, token, cookiesMax)
  const jar = await cookies()
  jar.set(name, token, { ...cookieOptions(), maxAge: 180 * day })
  for (const cookie of surplus) jar.delete({ name: cookie.name, ...cookieOptions() })
}

/**
 * Signs in to the pages through the API's own handlers, for our forms and for next-auth alike, so that limits, counters and audit
 * are the same (security bar, check-15).
 */

export type SignedIn = Result<{ token: string; trust_tier: Tier }>

/** A passkey's answer to a sign-in challenge, as the browser gives it. */
export type Assertion = BodyOf<'POST /beak/passkey/login'>['credential']

/** Requests a sign-in code. The device token of this browser travels along. */
export async function requestCode(email: string) {
  return api('POST /beak/signin/otp', { body: { email, ...(await deviceField(email)) }, token: '' })
}

/** Signs in with a mailed code. */
export async function signInWithCode(email: string, otp: string): Promise<SignedIn> {
  const body = { email, otp, ...(await deviceField(email)) }
  const result = await api('POST /beak/signin', { body, token: '' })
  if (result.ok) await keepDeviceToken(email, result.data.device_token)
  return result
}

/** Signs in with a passkey assertion, given as the browser's JSON text. The API rejects malformed assertions. */
export async function signInWithPasskey(assertion: string): Promise<SignedIn> {
  const credential = parseObject(assertion) as Assertion
  const body = { credential, ...(await deviceField(null)) }
  const result = await api('POST /beak/passkey/login', { body, token: '' })
  if (result.ok) await keepDevice(result.data)
  return result
}

/** Signs in with a link of the host. */
export async function signInWithLink(linkToken: string): Promise<SignedIn> {
  const body = { token: linkToken, ...(await deviceField(null)) }
  const result = await api('POST /beak/signin/link', { body, token: '' })
  if (result.ok) await keepDevice(result.data)
  return result
}

/** The email names the device cookie, and these sign-ins do not ask for it. */
async function keepDevice({ token, device_token }: { token: string; device_token: string }): Promise<void> {
  const viewer = await api('GET /beak/profile', { token })
  if (viewer.ok && viewer.data.email) await keepDeviceToken(viewer.data.email, device_token)
}

/** Ends the earlier session of this browser. Once its cookie is replaced, nobody could sign it out here any more. */
export async function endReplacedSession(): Promise<void> {
  const token = await sessionToken()
  if (token !== null) await api('POST /beak/signout', { body: {}, token })
}
