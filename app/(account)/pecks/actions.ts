'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { api, type Result } from '@/app/_web/api'
import { explain, type FormState, failed, field, invalid, succeeded } from '@/app/_web/form'
import type { Problem } from '@/app/_web/problem'
import { signInAgain } from '@/app/_web/sign-in-again'
import type { Peck } from './reads'
import { type Settled, settledElsewhere } from './settled'

const path = '/pecks'

/** Every page that shows pecks is one of these, or below. */
function pecksChanged(): void {
  revalidatePath(path, 'layout')
  revalidatePath('/home')
}

/** What a decision that came too late is told: where the request stands. */
async function tooLate(
  previous: FormState<Settled>,
  form: FormData,
  problem: Problem,
): Promise<FormState<Settled>> {
  await signInAgain(problem, path)
  if (problem.current_status === undefined) return invalid(previous, form, problem)
  pecksChanged()
  const settled = settledElsewhere(problem.current_status)
  return failed(previous, form, settled.message, { ...settled, isOwn: true })
}

export async function approvePeck(previous: FormState<Settled>, form: FormData): Promise<FormState<Settled>> {
  const passkey = field(form, 'passkey')
  const seconds = field(form, 'grant_expires_in')
  const result = await api('POST /beak/peck/approve', {
    body: {
      peck_id: field(form, 'peck_id'),
      ...(seconds === '' ? {} : { grant_expires_in: Number(seconds) }),
      ...(passkey === '' ? {} : { passkey: parsed(passkey) as never }),
    },
  })
  if (!result.ok) return tooLate(previous, form, withoutProof(result.problem))
  pecksChanged()
  const message = passkey === '' ? 'Approved.' : 'Approved, and signed by your passkey.'
  return succeeded(previous, message, { status: 'approved', message, isOwn: true, hasReceipt: true })
}

/** An approval needs the passkey's signature over this very peck. Confirming the session would not help, so no form asks for it. */
function withoutProof({ required: _, ...problem }: Problem): Problem {
  return problem
}

/** Rejects with the reason typed, or else the one picked; and blocks the asker where that was ticked. */
export async function rejectPeck(previous: FormState<Settled>, form: FormData): Promise<FormState<Settled>> {
  const result = await api('POST /beak/peck/reject', {
    body: { peck_id: field(form, 'peck_id'), reason: field(form, 'reason') || field(form, 'quick') },
  })
  if (!result.ok) return tooLate(previous, form, missingReason(result.problem))
  const message = form.has('block') ? await blockAsker(result.data) : 'Rejected.'
  pecksChanged()
  return succeeded(previous, message, { status: 'rejected', message, isOwn: true })
}

function missingReason(problem: Problem): Problem {
  const message = 'Pick a reason, or write one: the asker reads it.'
  const errors = problem.errors?.map((error) =>
    error.message === 'must not be empty' ? { ...error, message } : error,
  )
  return errors ? { ...problem, errors } : problem
}

async function blockAsker({ requester }: Peck): Promise<string> {
  const blocked = await api('POST /beak/peck/block', { body: { duckling_id: requester.duckling_id } })
  if (blocked.ok) return `Rejected. ${requester.display_name} is blocked.`
  return `Rejected, but not blocked: ${explain(blocked.problem)}`
}

async function finish<T>(
  previous: FormState,
  form: FormData,
  result: Result<T>,
  message: string,
): Promise<FormState> {
  if (!result.ok) {
    await signInAgain(result.problem, path)
    if (result.problem.current_status !== undefined) pecksChanged()
    return invalid(previous, form, result.problem)
  }
  pecksChanged()
  return succeeded(previous, message)
}

export async function revokeGrant(previous: FormState, form: FormData): Promise<FormState> {
  const result = await api('POST /beak/peck/revoke', { body: { peck_id: field(form, 'peck_id') } })
  return finish(previous, form, result, 'Revoked. It holds no longer.')
}

export async function cancelPeck(previous: FormState, form: FormData): Promise<FormState> {
  const result = await api('POST /beak/peck/cancel', { body: { peck_id: field(form, 'peck_id') } })
  return finish(previous, form, result, 'Taken back.')
}

export async function blockDuckling(previous: FormState, form: FormData): Promise<FormState> {
  const result = await api('POST /beak/peck/block', { body: { duckling_id: field(form, 'duckling_id') } })
  return finish(previous, form, result, 'Blocked. What they ask reaches you no more.')
}

export async function unblockDuckling(previous: FormState, form: FormData): Promise<FormState> {
  const result = await api('POST /beak/peck/unblock', { body: { duckling_id: field(form, 'duckling_id') } })
  return finish(previous, form, result, 'Unblocked.')
}

/** Asks, and leads to the peck there then is. */
export async function askPeck(previous: FormState, form: FormData): Promise<FormState> {
  const lasting = field(form, 'grant_expires_in')
  const result = await api('POST /beak/peck/request', {
    body: {
      target_duckling_id: field(form, 'target_duckling_id'),
      action: field(form, 'action'),
      scope: field(form, 'scope') as 'limited',
      message: field(form, 'message') || undefined,
      params: parsed(field(form, 'params') || '{}') as Record<string, unknown>,
      expires_in: Number(field(form, 'expires_in')),
      ...(lasting === '' ? {} : { grant_expires_in: Number(lasting) }),
    },
  })
  if (!result.ok) {
    await signInAgain(result.problem, '/pecks/new')
    return invalid(previous, form, besideFields(result.problem))
  }
  pecksChanged()
  redirect(`/pecks/${result.data.peck_id}${result.data.repeated ? '?repeated=yes' : ''}`)
}

/** JSON of a field; a text that is none goes on as it is, so that the API names it with whatever else is at fault. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Refusals that are about one field, laid beside it. */
function besideFields(problem: Problem): Problem {
  if (problem.status === 404 || problem.code === 'E4002')
    return { ...problem, errors: [{ field: 'target_duckling_id', message: problem.detail }] }
  const errors = problem.errors?.map((error) =>
    error.field === 'params' || error.field.startsWith('params.')
      ? {
          field: 'params',
          message: 'must be a JSON object of at most 4 KiB, for instance {"to": "pond@example.com"}',
        }
      : error,
  )
  return errors ? { ...problem, errors } : problem
}
