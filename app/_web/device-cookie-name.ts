/** Names of the cookies that keep device tokens; see device-cookie.ts. */
import { email as emailField } from '@/lib/kernel/fields'
import { keyedHash, previousKeyedHash } from '@/lib/kernel/secrets'

/** A cookie as the browser sends it. */
export interface DeviceCookie {
  name: string
  value: string
}

/**
 * The names of the cookie for an address, the current one first; none for a text that is no address. Keyed hashes, so the browser's
 * cookies do not show who has signed in. During a rotation of the secret there is also the name from before.
 */
export function deviceCookieNames(prefix: string, address: string): string[] {
  const { success, data } = emailField.safeParse(address)
  if (!success) return []
  const hashes = [keyedHash('subject', `device:${data}`), previousKeyedHash('subject', `device:${data}`)]
  return hashes.flatMap((hash) => (hash === null ? [] : [`${prefix}${hash.toString('hex').slice(0, 16)}`]))
}

/**
 * The cookie to send for an address: its own, under the current name or the name from before; else the first of `kept`, which may
 * be the same account's from before a change of address. Undefined when the browser keeps none.
 */
export function pickDeviceCookie(kept: DeviceCookie[], names: string[]): DeviceCookie | undefined {
  const own = names.flatMap((name) => kept.filter((cookie) => cookie.name === name))
  return own[0] ?? kept[0]
}

/**
 * The cookies to delete when a token is kept under `names[0]`: the same account's under another name, and those beyond `most`.
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
