'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { api, type Result } from '@/app/_web/api'
import { explain, needOf } from '@/app/_web/form'
import { formAction } from '@/app/_web/form-action'
import { isMissing, type Problem } from '@/app/_web/problem'
import { signInAgain } from '@/app/_web/sign-in-again'
import type { BodyOf, ResponseOf } from '@/app/beak/_api/lines'
import { field, type Need } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { keptText } from '@/lib/kernel/text/kept-values'
import { parseAssertion } from './ceremony'

type ChallengeRequest = BodyOf<'POST /beak/passkey/challenge'>
type RequestOptions = ResponseOf<'POST /beak/passkey/challenge'>
type CreationOptions = ResponseOf<'POST /beak/passkey/register'>
type AssertionCredential = BodyOf<'POST /beak/passkey/confirm'>['passkey']
type RegistrationCredential = BodyOf<'POST /beak/passkey/register/verify'>['credential']

/** The result of one step of a passkey ceremony: its data, or a sentence for people that says why it failed. */
export type Step<T> = { ok: true; data: T } | { ok: false; message: string; needs?: Need }

function step<T>(result: Result<T>, messageOf: (problem: Problem) => string = explain): Step<T> {
  if (result.ok) return { ok: true, data: result.data }
  const { problem } = result
  return { ok: false, message: messageOf(problem), ...needOf(problem) }
}

/** Returns a challenge for one of the viewer's passkeys. For `approve`, the challenge is the hash of what is approved. */
export async function passkeyChallenge(request: ChallengeRequest): Promise<Step<RequestOptions>> {
  return step(await api('POST /beak/passkey/challenge', { body: request }))
}

/** Confirms the viewer's session with an assertion for a challenge with purpose `confirm`. */
export async function confirmWithAssertion(passkey: AssertionCredential): Promise<Step<unknown>> {
  return step(await api('POST /beak/passkey/confirm', { body: { passkey } }))
}

/** Returns a challenge that any passkey of this service can sign in with. */
export async function passkeySignInOptions(): Promise<Step<RequestOptions>> {
  return step(await api('POST /beak/passkey/login/options', { token: '' }))
}

export type AddedPasskey = Pick<ResponseOf<'POST /beak/passkey/register/verify'>, 'passkey_id' | 'name'>

/** Starts adding a passkey. */
export async function startPasskey(): Promise<Step<CreationOptions>> {
  return step(await api('POST /beak/passkey/register'))
}

/** Stores the new passkey and returns its id and the name it was stored under. */
export async function finishPasskey(
  credential: RegistrationCredential,
  name: string,
): Promise<Step<AddedPasskey>> {
  const body = name === '' ? { credential } : { credential, name }
  const nameTooLong = (problem: Problem) =>
    problem.errors?.some(({ field }) => field === 'name') ? m.passkeys_name_length_error() : explain(problem)
  return step(await api('POST /beak/passkey/register/verify', { body }), nameTooLong)
}

/** Stores that an older passkey of the viewer vouches for a newer one. */
export const endorsePasskey = formAction({
  call: 'POST /beak/passkey/endorse',
  input: (form) => ({
    passkey_id: field(form, 'passkey_id'),
    passkey: parseAssertion(field(form, 'passkey')),
  }),
  page: '/security',
  done: ({ name }) => keptText(m.passkeys_older_passkey_now_vouches_for_name, { name }),
})

const page = '/security'

/** Goes to the security page, which shows the outcome. Revalidates all pages, because each one has the banner. */
function showOutcome(outcome: 'started' | 'cancelled' | 'failed'): never {
  revalidatePath('/', 'layout')
  redirect(`${page}?recovery=${outcome}`)
}

/** Requests the removal of all passkeys of the viewer. */
export const startRecovery = formAction({
  call: 'POST /beak/passkey/recover',
  page,
  // Only a sign-in with a code counts here: somebody who has lost the passkeys cannot sign in with one.
  refusal: (problem) => (problem.code === 'E4009' ? { ...problem, required: 'fresh_code' } : problem),
  done: () => showOutcome('started'),
})

/** Cancels the pending removal. A removal that no longer exists counts as cancelled. */
export async function cancelRecovery(): Promise<void> {
  const result = await api('POST /beak/passkey/recover/cancel', { body: {} })
  if (!result.ok) await signInAgain(result.problem, page)
  showOutcome(result.ok || isMissing(result.problem) ? 'cancelled' : 'failed')
}
