/** Decides whether somebody who signed in with a code is asked to add a passkey. "Not now" suppresses the question for 90 days. */
import { cookies } from 'next/headers'
import { day } from '@/lib/kernel/clock'
import { api } from './api'
import { cookieOptions } from './session-cookie'

const name = 'beak.no-passkey'

/**
 * Whether the caller of a session has a passkey. Without `token`, the session of the cookie. True when the list cannot be read, so
 * that no passkey is offered. Pages that show passkeys use `viewerHasPasskey`.
 */
export async function hasPasskey(token?: string): Promise<boolean> {
  const list = await api('GET /beak/passkey/list', { query: { limit: '1' }, ...(token ? { token } : {}) })
  return !list.ok || list.data.items.length > 0
}

/** Whether the person has declined a passkey in the last 90 days. */
export async function wantsNoPasskey(): Promise<boolean> {
  return (await cookies()).has(name)
}

/** Remembers that the person declined a passkey. For server actions. */
export async function rememberNoPasskey(): Promise<void> {
  ;(await cookies()).set(name, 'yes', { ...cookieOptions(), maxAge: 90 * day })
}
