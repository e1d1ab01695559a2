/**
 * The cookie that carries the API's own session token (contract A, Cookies): HttpOnly, SameSite=Lax, and over https `__Host-`
 * and Secure. `/beak` never reads it; pages turn it into a bearer token for calls in process.
 */
import { cookies } from 'next/headers'
import { day } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'

const isSecure = () => config().baseUrl.startsWith('https:')

/** Its name; `__Host-` binds it to this very host. */
export function cookieName(): string {
  return isSecure() ? '__Host-beak.session' : 'beak.session'
}

export function cookieOptions() {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure() } as const
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
  ;(await cookies()).delete({ name: cookieName(), path: '/', secure: isSecure() })
}
