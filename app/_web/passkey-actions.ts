'use server'

import type {
  AssertionCredential,
  ChallengeRequest,
  CreationOptions,
  RegistrationCredential,
  RequestOptions,
} from '@/lib/domain/passkeys/schema'
import { api, type Result } from './api'
import { explain, type Need, needOf } from './form'
import type { Problem } from './problem'

/** What a step of a passkey ceremony gave, or why it did not, in words for people. */
export type Step<T> = { ok: true; data: T } | { ok: false; message: string; needs?: Need }

function step<T>(result: Result<T>, instead: (problem: Problem) => string = explain): Step<T> {
  if (result.ok) return { ok: true, data: result.data }
  const { problem } = result
  return { ok: false, message: instead(problem), ...needOf(problem) }
}

/** A challenge for one of the viewer's passkeys; for `approve` it is the hash of what is approved. */
export async function passkeyChallenge(request: ChallengeRequest): Promise<Step<RequestOptions>> {
  return step(await api('POST /beak/passkey/challenge', { body: request }))
}

/** Confirms the viewer's session with an assertion over a challenge with purpose `confirm`. */
export async function confirmWithAssertion(passkey: AssertionCredential): Promise<Step<unknown>> {
  return step(await api('POST /beak/passkey/confirm', { body: { passkey } }))
}

/** A challenge for signing in with any passkey of this service. */
export async function passkeySignInOptions(): Promise<Step<RequestOptions>> {
  return step(await api('POST /beak/passkey/login/options', { token: '' }))
}

/** The first half of adding a passkey. */
export async function startPasskey(): Promise<Step<CreationOptions>> {
  return step(await api('POST /beak/passkey/register'))
}

/** The second half: keeps what the authenticator made, and gives the name it is kept under. */
export async function finishPasskey(
  credential: RegistrationCredential,
  name: string,
): Promise<Step<{ name: string }>> {
  const body = name === '' ? { credential } : { credential, name }
  const nameTooLong = (problem: Problem) =>
    problem.errors?.some(({ field }) => field === 'name')
      ? 'The name may have at most 64 characters.'
      : explain(problem)
  return step(await api('POST /beak/passkey/register/verify', { body }), nameTooLong)
}
