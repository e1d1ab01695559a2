/**
 * The cookie that carries the API's own session token (contract A, Cookies): HttpOnly, SameSite=Lax, over https Secure, and sent
 * to the path of `BASE_URL` only. `/beak` never reads it; pages turn it into a bearer token for calls in process.
 */
import { cookies } from 'next/headers'
import { day } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'

const isSecure = () => config().baseUrl.startsWith('https:')

/**
 * Returns the prefix of cookie names (RFC 6265bis, 4.1.3): `__Host-` over https, which only this very host can set. It demands
 * `Path=/`, so with a path in `BASE_URL` it is `__Secure-`: a stage must not get the session tokens of another one.
 */
export function cookiePrefix(): string {
  if (!isSecure()) return ''
  return config().basePath === '' ? '__Host-' : '__Secure-'
}

/** The name of the session cookie. */
export function cookieName(): string {
  return `${cookiePrefix()}beak.session`
}

/** The options of every cookie of the pages. */
export function cookieOptions() {
  return {
    httpOnly: true,
    sameSite: 'lax',
    path: config().basePath || '/',
    secure: isSecure(),
  } as const
}

/** The session token of whoever asks for the page, or null. Says nothing about whether it is still valid. */
export async function sessionToken(): Promise<string | null> {
  return (await cookies()).get(cookieName())?.value ?? null
}

/** Signs the browser in with a token the API has just given. For server actions. */
export async function keepSession(token: string): Promise<void> {
  ;(await cookies()).set(cookieName(), token, { ...cookieOptions(), maxAge: day })
}

/** Forgets the session in the browser. For server actions. */
export async function dropSession(): Promise<void> {
  ;(await cookies()).delete({ name: cookieName(), ...cookieOptions() })
}
