/**
 * Cookies that keep the device tokens of this browser, one for each account that has signed in from it. With its token the
 * browser's codes and tries are counted apart, so strangers cannot lock it out (contract F, Wrong codes). Signing out keeps them.
 */
import { cookies } from 'next/headers'
import { day } from '@/lib/kernel/clock'
import { type DeviceCookie, deviceCookieNames, pickDeviceCookie, surplusCookies } from './device-cookie-name'
import { cookieOptions, cookiePrefix } from './session-cookie'

/** Accounts that one browser keeps. More could fill the request's headers on a computer that many people use. */
const cookiesMax = 8

const prefix = () => `${cookiePrefix()}beak.device.`

/** The device cookies of the browser, the newest token first: ids of tokens sort by time. */
async function deviceCookies(): Promise<DeviceCookie[]> {
  const all = (await cookies()).getAll().filter(({ name }) => name.startsWith(prefix()))
  return all.sort((left, right) => (left.value < right.value ? 1 : -1))
}

/**
 * The field `device_token` for a sign-in with that address, or without a typed address (a passkey). Where the browser has no
 * cookie for the address (it may have changed since), the newest token is sent: the API ignores one of another account.
 */
export async function deviceField(address: string | null): Promise<{ device_token?: string }> {
  const kept = await deviceCookies()
  const names = address === null ? [] : deviceCookieNames(prefix(), address)
  const token = pickDeviceCookie(kept, names)?.value
  return token === undefined || token === '' || token.length > 200 ? {} : { device_token: token }
}

/** Keeps the device token that a sign-in to the account with that address returned. For server actions and route handlers. */
export async function keepDeviceToken(address: string, token: string): Promise<void> {
  const names = deviceCookieNames(prefix(), address)
  const [name] = names
  if (name === undefined) return
  const surplus = surplusCookies(await deviceCookies(), names, token, cookiesMax)
  const jar = await cookies()
  jar.set(name, token, { ...cookieOptions(), maxAge: 180 * day })
  for (const cookie of surplus) jar.delete({ name: cookie.name, ...cookieOptions() })
}
