/**
 * Cookies that keep the device tokens of this browser, one for each account that has signed in from it. With its token the
 * browser's codes and attempts are counted separately, so strangers cannot lock it out (contract F, Wrong codes). Signing out keeps them.
 */
import { cookies } from 'next/headers'
import { day } from '@/lib/kernel/clock'
import { type DeviceCookie, deviceCookieNames, pickDeviceCookie, surplusCookies } from './device-cookie-name'
import { cookieOptions, cookiePrefix } from './session-cookie'

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
export async function deviceField(address: string | null): Promise<{ device_token?: string }> {
  const kept = await deviceCookies()
  const names = address === null ? [] : deviceCookieNames(prefix(), address)
  const token = pickDeviceCookie(kept, names)?.value
  return token === undefined || token === '' || token.length > 200 ? {} : { device_token: token }
}

/** Stores the device token of a sign-in under the address of the account. For server actions and route handlers. */
export async function keepDeviceToken(address: string, token: string): Promise<void> {
  const names = deviceCookieNames(prefix(), address)
  const [name] = names
  if (name === undefined) return
  const surplus = surplusCookies(await deviceCookies(), names, token, cookiesMax)
  const jar = await cookies()
  jar.set(name, token, { ...cookieOptions(), maxAge: 180 * day })
  for (const cookie of surplus) jar.delete({ name: cookie.name, ...cookieOptions() })
}
