'use server'

import { revalidatePath } from 'next/cache'
import { api } from '@/app/_web/api'
import { type FormState, field, invalid, succeeded } from '@/app/_web/form'
import { signInAgain } from '@/app/_web/sign-in-again'

const path = '/certificate'

export async function issueCertificate(previous: FormState, form: FormData): Promise<FormState> {
  const result = await api('POST /beak/cert/issue', { body: {} })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    return invalid(previous, form, result.problem)
  }
  revalidatePath(path)
  return succeeded(previous, 'Your certificate is issued.')
}

export async function revokeCertificate(previous: FormState, form: FormData): Promise<FormState> {
  const result = await api('POST /beak/cert/revoke', { body: { reason: field(form, 'reason') } })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    return invalid(previous, form, result.problem)
  }
  revalidatePath(path)
  return succeeded(previous, 'Your certificate is revoked. Whoever checks it sees so from now on.')
}
