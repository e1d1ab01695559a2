/** Names of the cookies that keep device tokens; see device-cookie.ts. */

import { keyedHash, previousKeyedHash } from '@/lib/kernel/secrets'
import { email as emailField } from '@/lib/kernel/typed/email'

/** A cookie as the browser sends it. */
export interface DeviceCookie {
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
