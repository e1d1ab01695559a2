/** Whether a person who signs in without a passkey is offered to add one. After "Not now", the offer pauses for 90 days. */
import { cookies } from 'next/headers'
import { day } from '@/lib/kernel/clock'
import { api } from './api'
import { cookieOptions } from './session-cookie'

const name = 'beak.no-passkey'

/**
 * Returns whether the caller has a passkey. `token` replaces the session in the cookie. A refusal counts as yes, so that nothing is
 * offered.
 */
export async function hasPasskey(token?: string): Promise<boolean> {
  const list = await api('GET /beak/passkey/list', { query: { limit: '1' }, ...(token ? { token } : {}) })
  return !list.ok || list.data.items.length > 0
}

/** Whether the person has declined a passkey in the last 90 days. */
export async function wantsNoPasskey(): Promise<boolean> {
  return (await cookies()).has(name)
}

/** Stores "Not now" in a cookie. Works only in server actions, because a page cannot set cookies. */
export async function rememberNoPasskey(): Promise<void> {
  ;(await cookies()).set(name, 'yes', { ...cookieOptions(), maxAge: 90 * day })
}
