/**
 * Cookies that keep the device tokens of this browser, one for each account that has signed in from it. With its token the
 * browser's codes and tries are counted apart, so strangers cannot lock it out (contract F, Wrong codes). Signing out keeps them.
 */
import { cookies } from 'next/headers'
import { day } from '@/lib/kernel/clock'
import { email as emailField } from '@/lib/kernel/fields'
import { keyedHash } from '@/lib/kernel/secrets'
import { cookieOptions } from './session-cookie'

/** Accounts that one browser keeps. More could fill the request's headers on a computer that many people use. */
const cookiesMax = 8

const prefix = () => (cookieOptions().secure ? '__Host-beak.device.' : 'beak.device.')

/** The name of the cookie for an address: a keyed hash, so the browser's cookies do not show who has signed in. */
function cookieName(address: string): string | null {
  const { success, data } = emailField.safeParse(address)
  return success ? `${prefix()}${keyedHash('subject', `device:${data}`).toString('hex').slice(0, 16)}` : null
}

/** The device cookies of the browser, the newest token first: ids of tokens sort by time. */
async function deviceCookies(): Promise<{ name: string; value: string }[]> {
  const all = (await cookies()).getAll().filter(({ name }) => name.startsWith(prefix()))
  return all.sort((left, right) => (left.value < right.value ? 1 : -1))
}

/**
 * The field `device_token` for a sign-in with that address, or without a typed address (a passkey). Where the browser has no
 * cookie for the address (it may have changed since), the newest token is sent: the API ignores one of another account.
 */
export async function deviceField(address: string | null): Promise<{ device_token?: string }> {
  const kept = await deviceCookies()
  const name = address === null ? null : cookieName(address)
  const token = (kept.find((cookie) => cookie.name === name) ?? kept[0])?.value
  return token === undefined || token === '' || token.length > 200 ? {} : { device_token: token }
}

/** Keeps the device token that a sign-in to the account with that address returned. For server actions and route handlers. */
export async function keepDeviceToken(address: string, token: string): Promise<void> {
  const name = cookieName(address)
  if (name === null) return
  const others = (await deviceCookies()).filter((cookie) => cookie.name !== name)
  const jar = await cookies()
  jar.set(name, token, { ...cookieOptions(), maxAge: 180 * day })
  // The same token under another name is from before a change of address.
  const surplus = others.filter(({ value }, index) => value === token || index >= cookiesMax - 1)
  for (const cookie of surplus) jar.delete({ name: cookie.name, ...cookieOptions() })
}
