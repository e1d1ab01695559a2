/**
 * The cookie with the session token of the API (contract A, Cookies): HttpOnly, SameSite=Lax, over https Secure, and sent only to
 * the path of `BASE_URL`. `/beak` never reads it. Pages send its token as a bearer token when they call the API in process.
 */
import { cookies } from 'next/headers'
import { config } from '@/lib/kernel/config'
import { day } from '@/lib/kernel/runtime/clock'

const isSecure = () => config().baseUrl.startsWith('https:')

/**
 * Returns the prefix of cookie names (RFC 6265bis, 4.1.3). Over https `__Host-`: no other host can set such a cookie. `__Host-`
 * requires `Path=/`. With a path in `BASE_URL` the prefix is `__Secure-`, so that no stage gets the session tokens of another stage.
 */
export function cookiePrefix(): string {
  if (!isSecure()) return ''
  return config().basePath === '' ? '__Host-' : '__Secure-'
}

/** Returns the name of the session cookie. */
export function cookieName(): string {
  return `${cookiePrefix()}beak.session`
}

/** Returns the options that all cookies of the pages share. */
export function cookieOptions() {
  return {
    httpOnly: true,
    sameSite: 'lax',
    path: config().basePath || '/',
    secure: isSecure(),
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
