/**
 * The cookie with the session token of the API (contract A, Cookies): HttpOnly, SameSite=Lax, over https Secure, and sent only to
 * the path of `BASE_URL`. `/beak` never reads it. Pages send its token as a bearer token when they call the API in process.
 */
import { cookies } from 'next/headers'
import { config } from '@/lib/kernel/config'
import { cookieName } from '@/lib/kernel/request/session-cookie'
import { day } from '@/lib/kernel/runtime/clock'

/** Returns the options that all cookies of the pages share. */
export function cookieOptions() {
  return {
    httpOnly: true,
    sameSite: 'lax',
    path: config().basePath || '/',
    secure: config().baseUrl.startsWith('https:'),
  } as const
}

/** Returns the session token in the cookie of the request, or null. The token may have expired. */
export async function sessionToken(): Promise<string | null> {
  return (await cookies()).get(cookieName())?.value ?? null
}

/** Stores a new session token in the cookie. For server actions. */
export async function keepSession(token: string): Promise<void> {
  ;(await cookies()).set(cookieName(), token, { ...cookieOptions(), maxAge: day })
}

/** Deletes the session cookie. For server actions. */
export async function dropSession(): Promise<void> {
  ;(await cookies()).delete({ name: cookieName(), ...cookieOptions() })
}
