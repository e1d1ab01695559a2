/** Whether somebody who signs in without a passkey is asked to add one: not again for a while once they said "not now". */
import { cookies } from 'next/headers'
import { day } from '@/lib/kernel/clock'
import { api } from './api'
import { cookieOptions } from './session-cookie'

const name = 'beak.no-passkey'

/** Whether the caller of that session, the cookie's by default, has a passkey. A refusal counts as yes: nothing is offered. */
export async function hasPasskey(token?: string): Promise<boolean> {
  const list = await api('GET /beak/passkey/list', { query: { limit: '1' }, ...(token ? { token } : {}) })
  return !list.ok || list.data.items.length > 0
}

export async function wantsNoPasskey(): Promise<boolean> {
  return (await cookies()).has(name)
}

/** For server actions. */
export async function rememberNoPasskey(): Promise<void> {
  ;(await cookies()).set(name, 'yes', { ...cookieOptions(), maxAge: 90 * day })
}
