/** The secret that next-auth signs its own CSRF cookie with, and nothing else. */
import { equalDigests, keyedHash, previousKeyedHash, sha256 } from '@/lib/kernel/secrets'

const subject = 'next-auth'

/**
 * Returns the secret for a request with that CSRF cookie (`token|hash`). During a rotation of `BEAK_SECRET`, another instance may
 * have made the cookie with the other secret: then that one is used, so that the sign-in does not fail.
 */
export function authSecret(csrfCookie: string | undefined): string {
  const current = keyedHash('subject', subject).toString('hex')
  const previous = previousKeyedHash('subject', subject)?.toString('hex')
  const [token = '', hash = ''] = (csrfCookie ?? '').split('|')
  const isMadeWith = (secret: string) => equalDigests(sha256(`${token}${secret}`), Buffer.from(hash, 'hex'))
  return previous !== undefined && token !== '' && isMadeWith(previous) ? previous : current
}
