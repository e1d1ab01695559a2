/**
 * Signing in and out of the pages with next-auth: two Credentials providers that call the API's own sign-in handlers, so
 * limits, counters and audit are the same (security bar, item 15), and a cookie that carries the API's own session token.
 * Signing out revokes that session, on every instance.
 */
import type { NextAuthOptions } from 'next-auth'
import type { JWT } from 'next-auth/jwt'
import CredentialsProvider from 'next-auth/providers/credentials'
import { POST as passkeyLogin } from '@/app/beak/passkey/login/route'
import { POST as signIn } from '@/app/beak/signin/route'
import { POST as signOut } from '@/app/beak/signout/route'
import { day } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { keyedHash } from '@/lib/kernel/secrets'
import { callApi, type Result } from './call-api'
import { cookieName, cookieOptions } from './session-cookie'

/** What `authorize` hands to the cookie. */
interface SignedIn {
  id: string
  token: string
}

function accept(result: Result<{ token: string }>): SignedIn {
  // next-auth puts the message into the answer it gives the page: a code of ours and what to do, nothing else.
  if (!result.ok)
    throw new Error(
      JSON.stringify({
        code: result.problem.code,
        message: `${result.problem.detail} ${result.problem.action}`,
      }),
    )
  return { id: 'signed-in', token: result.data.token }
}

function parseCredential(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

const code = CredentialsProvider({
  id: 'code',
  credentials: { email: {}, otp: {} },
  authorize: async (given) =>
    accept(
      await callApi(signIn, 'POST', {
        body: { email: given?.email ?? '', otp: given?.otp ?? '' },
        token: '',
      }),
    ),
})

const passkey = CredentialsProvider({
  id: 'passkey',
  credentials: { credential: {} },
  authorize: async (given) =>
    accept(
      await callApi(passkeyLogin, 'POST', {
        body: { credential: parseCredential(given?.credential ?? '') as never },
        token: '',
      }),
    ),
})

/** The options of next-auth; a function, since the configuration is read when the process runs. */
export function authOptions(): NextAuthOptions {
  return {
    providers: [code, passkey],
    // Signs next-auth's own CSRF cookie only.
    secret: keyedHash('subject', 'next-auth').toString('hex'),
    session: { strategy: 'jwt', maxAge: day },
    useSecureCookies: config().baseUrl.startsWith('https:'),
    cookies: { sessionToken: { name: cookieName(), options: cookieOptions() } },
    pages: { signIn: '/signin', error: '/signin' },
    jwt: {
      // The cookie holds our token and nothing around it.
      encode: ({ token }) => String(token?.beak ?? ''),
      decode: ({ token }) => (token ? ({ beak: token } as JWT) : null),
    },
    callbacks: {
      jwt: ({ token, user }) => (user ? ({ beak: (user as SignedIn).token } as JWT) : token),
      redirect: ({ url, baseUrl }) =>
        url.startsWith('/') && !url.startsWith('//') ? `${baseUrl}${url}` : baseUrl,
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token?.beak === 'string') await callApi(signOut, 'POST', { body: {}, token: token.beak })
      },
    },
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  }
}
