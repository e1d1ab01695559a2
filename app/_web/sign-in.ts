/**
 * Signing in to the pages: through the API's own handlers, so that limits, counters and audit are the same (security bar, item
 * 15), whether a form of ours asks or next-auth does.
 */
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import type { Tier } from '@/lib/kernel/context'
import { api, type Result } from './api'
import { deviceField, keepDeviceToken } from './device-cookie'
import { sessionToken } from './session-cookie'

export type SignedIn = Result<{ token: string; trust_tier: Tier }>

/** Asks for a sign-in code, as the device that this browser is to the account. */
export async function requestCode(email: string) {
  return api('POST /beak/signin/otp', { body: { email, ...(await deviceField(email)) }, token: '' })
}

/** Signs in with a mailed code. Spaces among the digits are how some mail programs copy them. */
export async function signInWithCode(email: string, otp: string): Promise<SignedIn> {
  const body = { email, otp: otp.replace(/\s/g, ''), ...(await deviceField(email)) }
  const result = await api('POST /beak/signin', { body, token: '' })
  if (result.ok) await keepDeviceToken(email, result.data.device_token)
  return result
}

/** Signs in with an assertion as the browser's JSON text; what is no assertion the API refuses. */
export async function signInWithPasskey(assertion: string): Promise<SignedIn> {
  const credential = parseObject(assertion) as AssertionCredential
  const body = { credential, ...(await deviceField(null)) }
  const result = await api('POST /beak/passkey/login', { body, token: '' })
  if (result.ok) {
    // Nobody typed the address that names the cookie.
    const viewer = await api('GET /beak/profile', { token: result.data.token })
    if (viewer.ok && viewer.data.email) await keepDeviceToken(viewer.data.email, result.data.device_token)
  }
  return result
}

/** Ends the session this browser had before, which nobody could reach any more once its cookie is replaced. */
export async function endReplacedSession(): Promise<void> {
  const token = await sessionToken()
  if (token !== null) await api('POST /beak/signout', { body: {}, token })
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
