'use server'

import { revalidatePath } from 'next/cache'
import { callApi } from '@/app/_web/call-api'
import { done, type FormState, field, refused } from '@/app/_web/form'
import { signInAgain } from '@/app/_web/sign-in-again'
import { POST as issue } from '@/app/beak/cert/issue/route'
import { POST as revoke } from '@/app/beak/cert/revoke/route'

const path = '/certificate'

export async function issueCertificate(previous: FormState, form: FormData): Promise<FormState> {
  const result = await callApi(issue, 'POST', { body: {} })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    return refused(previous, form, result.problem)
  }
  revalidatePath(path)
  return done(previous, 'Your certificate is issued.')
}

export async function revokeCertificate(previous: FormState, form: FormData): Promise<FormState> {
  const result = await callApi(revoke, 'POST', { body: { reason: field(form, 'reason') } })
  if (!result.ok) {
    await signInAgain(result.problem, path)
    return refused(previous, form, result.problem)
  }
  revalidatePath(path)
  return done(previous, 'Your certificate is revoked. Whoever checks it sees so from now on.')
}
