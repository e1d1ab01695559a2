/**
 * Signs in to the pages through the API's own handlers, for our forms and for next-auth alike, so that limits, counters and audit
 * are the same (security bar, item 15).
 */
import type { BodyOf } from '@/app/beak/_api/lines'
import type { Tier } from '@/lib/kernel/tier'
import { api, type Result } from './api'
import { deviceField, keepDeviceToken } from './device-cookie'
import { parseObject } from './form'
import { sessionToken } from './session-cookie'

export type SignedIn = Result<{ token: string; trust_tier: Tier }>

/** A passkey's answer to a sign-in challenge, as the browser gives it. */
export type Assertion = BodyOf<'POST /beak/passkey/login'>['credential']

/** Requests a sign-in code. The device token of this browser travels along. */
export async function requestCode(email: string) {
  return api('POST /beak/signin/otp', { body: { email, ...(await deviceField(email)) }, token: '' })
}

/** Signs in with a mailed code. */
export async function signInWithCode(email: string, otp: string): Promise<SignedIn> {
  const body = { email, otp, ...(await deviceField(email)) }
  const result = await api('POST /beak/signin', { body, token: '' })
  if (result.ok) await keepDeviceToken(email, result.data.device_token)
  return result
}

/** Signs in with a passkey assertion, given as the browser's JSON text. The API rejects malformed assertions. */
export async function signInWithPasskey(assertion: string): Promise<SignedIn> {
  const credential = parseObject(assertion) as Assertion
  const body = { credential, ...(await deviceField(null)) }
  const result = await api('POST /beak/passkey/login', { body, token: '' })
  if (result.ok) await keepDevice(result.data)
  return result
}

/** Signs in with a link of the host. */
export async function signInWithLink(linkToken: string): Promise<SignedIn> {
  const body = { token: linkToken, ...(await deviceField(null)) }
  const result = await api('POST /beak/signin/link', { body, token: '' })
  if (result.ok) await keepDevice(result.data)
  return result
}

/** The email names the device cookie, and these sign-ins do not ask for it. */
async function keepDevice({ token, device_token }: { token: string; device_token: string }): Promise<void> {
  const viewer = await api('GET /beak/profile', { token })
  if (viewer.ok && viewer.data.email) await keepDeviceToken(viewer.data.email, device_token)
}

/** Ends the earlier session of this browser. Once its cookie is replaced, nobody could sign it out here any more. */
export async function endReplacedSession(): Promise<void> {
  const token = await sessionToken()
  if (token !== null) await api('POST /beak/signout', { body: {}, token })
}
