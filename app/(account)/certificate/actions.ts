'use server'

import { revalidatePath } from 'next/cache'
import { POST as issue } from '@/app/beak/cert/issue/route'
import { POST as revoke } from '@/app/beak/cert/revoke/route'
import { callApi } from '@/lib/web/call-api'
import { done, type FormState, field, refused } from '@/lib/web/form'
import { signInAgain } from '@/lib/web/sign-in-again'

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
