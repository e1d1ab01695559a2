/**
 * Signing in to the pages: through the API's own handlers, so that limits, counters and audit are the same (security bar, item
 * 15), whether a form of ours asks or next-auth does.
 */
import { POST as passkeyLogin } from '@/app/beak/passkey/login/route'
import { POST as signIn } from '@/app/beak/signin/route'
import { POST as signOut } from '@/app/beak/signout/route'
import type { Tier } from '@/lib/kernel/context'
import type { AssertionCredential } from '@/lib/passkeys/schema'
import { callApi, type Result } from './call-api'
import { sessionToken } from './session-cookie'

export type SignedIn = Result<{ token: string; trust_tier: Tier }>

/** Signs in with a mailed code. Spaces among the digits are how some mail programs copy them. */
export function signInWithCode(email: string, otp: string): Promise<SignedIn> {
  return callApi(signIn, 'POST', { body: { email, otp: otp.replace(/\s/g, '') }, token: '' })
}

/** Signs in with an assertion as the browser's JSON text; what is no assertion the API refuses. */
export function signInWithPasskey(assertion: string): Promise<SignedIn> {
  const credential = parseObject(assertion) as AssertionCredential
  return callApi(passkeyLogin, 'POST', { body: { credential }, token: '' })
}

/** Ends the session this browser had before, which nobody could reach any more once its cookie is replaced. */
export async function endReplacedSession(): Promise<void> {
  const token = await sessionToken()
  if (token !== null) await callApi(signOut, 'POST', { body: {}, token })
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
