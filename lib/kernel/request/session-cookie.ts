/** The name of the cookie with the session token (contract A, Cookies). */
import { config } from '@/lib/kernel/config'

/**
 * Returns the prefix of cookie names (RFC 6265bis, 4.1.3). Over https `__Host-`: no other host can set such a cookie. `__Host-`
 * requires `Path=/`. With a path in `BASE_URL` the prefix is `__Secure-`, so that no stage gets the session tokens of another stage.
 */
export function cookiePrefix(): string {
  const { baseUrl, basePath } = config()
  if (!baseUrl.startsWith('https:')) return ''
  return basePath === '' ? '__Host-' : '__Secure-'
}

/** Returns the name of the session cookie. */
export function cookieName(): string {
  return `${cookiePrefix()}beak.session`
}
