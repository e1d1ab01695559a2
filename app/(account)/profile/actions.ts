'use server'

import { revalidatePath } from 'next/cache'
import type { z } from 'zod'
import { api } from '@/app/_web/api'
import { type FormState, failed, field, invalid, succeeded } from '@/app/_web/form'
import { hasPasskey } from '@/app/_web/passkey-offer'
import type { Problem } from '@/app/_web/problem'
import { atCodeField, signInAgain } from '@/app/_web/sign-in-again'
import { askViewer } from '@/app/_web/viewer'
import { longDate } from '@/components/ui/time'
import type { ProfileChange } from '@/lib/domain/identity/schema'
import type { tier } from '@/lib/kernel/fields'
import type { EmailStep } from './email-steps'

const path = '/profile'

export async function changeName(previous: FormState, form: FormData): Promise<FormState> {
  const body = { new_display_name: field(form, 'new_display_name') }
  const result = await api('POST /beak/name-change', { body })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    return invalid(previous, form, tooEarly(result.problem))
  }
  revalidatePath(path)
  return succeeded(previous, `From now on you are ${result.data.display_name}.`)
}

/** A refusal within the 30 days, laid beside the name, with the day from which it can change. */
function tooEarly(problem: Problem): Problem {
  if (problem.next_allowed_at === undefined) return problem
  const message = `You can take another name from ${longDate(problem.next_allowed_at)} on.`
  return { ...problem, errors: [{ field: 'new_display_name', message }] }
}

export async function changeAbout(previous: FormState, form: FormData): Promise<FormState> {
  return update(previous, form, {
    bio: field(form, 'bio'),
    directory_visible: form.has('directory_visible'),
  })
}

export async function changePecks(previous: FormState, form: FormData): Promise<FormState> {
  const needsPasskey = form.has('require_passkey_for_pecks')
  if (needsPasskey && !(await hasPasskey())) {
    const viewer = await askViewer(path)
    if (!viewer.ok) return invalid(previous, form, viewer.problem)
    if (!viewer.data.require_passkey_for_pecks)
      return {
        ...failed(previous, form, 'Nothing has been changed.'),
        errors: { require_passkey_for_pecks: 'Add a passkey first. Without one you could approve nothing.' },
      }
  }
  return update(previous, form, {
    // What is not a tier the API refuses, beside the field.
    min_peck_tier: field(form, 'min_peck_tier') as z.infer<typeof tier>,
    require_passkey_for_pecks: needsPasskey,
  })
}

async function update(
  previous: FormState,
  form: FormData,
  body: z.input<typeof ProfileChange>,
): Promise<FormState> {
  const result = await api('POST /beak/profile/update', { body })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    return invalid(previous, form, result.problem)
  }
  revalidatePath(path)
  return succeeded(previous, 'Saved.')
}

/** Two steps in one form: the new address, then the code that was mailed to it. */
export async function changeEmail(
  previous: FormState<EmailStep>,
  form: FormData,
): Promise<FormState<EmailStep>> {
  const address = field(form, 'new_email')
  if (form.has('restart')) return succeeded(previous, '', { step: 'address' })
  const isCode = form.has('otp')
  const result = await api('POST /beak/email-change', {
    body: isCode ? { new_email: address, otp: field(form, 'otp') } : { new_email: address },
  })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    const state = invalid(previous, form, isCode ? atCodeField(result.problem) : result.problem)
    return isCode ? { ...state, data: { step: 'code', address } } : state
  }
  if (!isCode) return succeeded(previous, `A code is on its way to ${address}.`, { step: 'code', address })
  revalidatePath(path)
  return succeeded(previous, `Your address is ${address} now.`, { step: 'address' })
}
