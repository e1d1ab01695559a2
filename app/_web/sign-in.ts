/**
 * Signing in to the pages: through the API's own handlers, so that limits, counters and audit are the same (security bar, item
 * 15), whether a form of ours asks or next-auth does.
 */
import { POST as passkeyLogin } from '@/app/beak/passkey/login/route'
import { GET as profile } from '@/app/beak/profile/route'
import { POST as askForCode } from '@/app/beak/signin/otp/route'
import { POST as signIn } from '@/app/beak/signin/route'
import { POST as signOut } from '@/app/beak/signout/route'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import type { Tier } from '@/lib/kernel/context'
import { callApi, type Result } from './call-api'
import { deviceField, keepDeviceToken } from './device-cookie'
import { sessionToken } from './session-cookie'

export type SignedIn = Result<{ token: string; trust_tier: Tier }>

/** Asks for a sign-in code, as the device that this browser is to the account. */
export async function requestCode(email: string) {
  return callApi(askForCode, 'POST', { body: { email, ...(await deviceField(email)) }, token: '' })
}

/** Signs in with a mailed code. Spaces among the digits are how some mail programs copy them. */
export async function signInWithCode(email: string, otp: string): Promise<SignedIn> {
  const body = { email, otp: otp.replace(/\s/g, ''), ...(await deviceField(email)) }
  const result = await callApi(signIn, 'POST', { body, token: '' })
  if (result.ok) await keepDeviceToken(email, result.data.device_token)
  return result
}

/** Signs in with an assertion as the browser's JSON text; what is no assertion the API refuses. */
export async function signInWithPasskey(assertion: string): Promise<SignedIn> {
  const credential = parseObject(assertion) as AssertionCredential
  const body = { credential, ...(await deviceField(null)) }
  const result = await callApi(passkeyLogin, 'POST', { body, token: '' })
  if (result.ok) {
    // Nobody typed the address that names the cookie.
    const viewer = await callApi(profile, 'GET', { token: result.data.token })
    if (viewer.ok && viewer.data.email) await keepDeviceToken(viewer.data.email, result.data.device_token)
  }
  return result
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
