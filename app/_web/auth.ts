/** The secret that next-auth signs its own CSRF cookie with, and nothing else. */

import type { NextAuthOptions } from 'next-auth'
import type { JWT } from 'next-auth/jwt'
import CredentialsProvider from 'next-auth/providers/credentials'
import { cookieName, cookiePrefix } from '@/lib/kernel/request/session-cookie'
import { day } from '@/lib/kernel/runtime/clock'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { equalDigests, keyedHash, previousKeyedHash, sha256 } from '@/lib/kernel/secrets/secrets'
import { api } from './api'
import { cookieOptions } from './session-cookie'
import { endReplacedSession, type SignedIn, signInWithCode, signInWithPasskey } from './sign-in'

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

/**
 * The options of next-auth, with one provider for codes and one for passkeys. Its cookie has the session token of the API. Signing out
 * revokes that session, on every instance.
 */

/** What `authorize` returns to next-auth. Only the token is kept, in the cookie. */
interface User {
  id: string
  token: string
}

/**
 * Returns the signed-in person. Throws an error with our error code as its message, because next-auth puts the message into the URL
 * of its redirect.
 */
async function signInOrThrow(signingIn: Promise<SignedIn>): Promise<User> {
  const result = await signingIn.catch((error: unknown) => {
    log().error({ error: describeError(error) }, 'sign-in failed')
    throw new Error('E5001')
  })
  if (!result.ok) throw new Error(result.problem.code)
  return { id: 'signed-in', token: result.data.token }
}

const code = CredentialsProvider({
  id: 'code',
  credentials: { email: {}, otp: {} },
  authorize: (given) => signInOrThrow(signInWithCode(given?.email ?? '', given?.otp ?? '')),
})

const passkey = CredentialsProvider({
  id: 'passkey',
  credentials: { credential: {} },
  authorize: (given) => signInOrThrow(signInWithPasskey(given?.credential ?? '')),
})

/** Returns the name of next-auth's CSRF cookie. */
export function csrfCookieName(): string {
  return `${cookiePrefix()}next-auth.csrf-token`
}

/** Returns the options of next-auth for a request with that CSRF cookie. */
export function authOptions(csrfCookie: string | undefined): NextAuthOptions {
  const { secure } = cookieOptions()
  return {
    providers: [code, passkey],
    secret: authSecret(csrfCookie),
    session: { strategy: 'jwt', maxAge: day },
    useSecureCookies: secure,
    cookies: {
      // Without its own `maxAge`, the cookie would only have a time of the clock of this machine, which can be wrong.
      sessionToken: { name: cookieName(), options: { ...cookieOptions(), maxAge: day } },
      csrfToken: { name: csrfCookieName(), options: cookieOptions() },
      callbackUrl: { name: `${secure ? '__Secure-' : ''}next-auth.callback-url`, options: cookieOptions() },
    },
    pages: { signIn: '/signin', error: '/signin' },
    jwt: {
      encode: ({ token }) => String(token?.beak ?? ''),
      decode: ({ token }) => (token ? ({ beak: token } as JWT) : null),
    },
    callbacks: {
      jwt: ({ token, user }) => (user ? ({ beak: (user as User).token } as JWT) : token),
      // The route in front of next-auth has checked the URL: next-auth knows our origin only from its own environment variable.
      redirect: ({ url }) => url,
    },
    events: {
      signIn: endReplacedSession,
      signOut: async ({ token }) => {
        if (typeof token?.beak === 'string') await api('POST /beak/signout', { body: {}, token: token.beak })
      },
    },
    logger: {
      error: (name, metadata) =>
        log().error(
          { name, error: describeError('error' in metadata ? metadata.error : metadata) },
          'next-auth',
        ),
      warn: () => undefined,
      debug: () => undefined,
    },
  }
}
