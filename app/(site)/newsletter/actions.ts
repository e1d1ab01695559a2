'use server'

import { api } from '@/app/_web/api'
import { done, type FormState, field, refused } from '@/app/_web/form'

export interface Asked {
  email: string
}

export async function subscribe(previous: FormState<Asked>, form: FormData): Promise<FormState<Asked>> {
  const email = field(form, 'email')
  const partnerType = field(form, 'partner_type')
  const result = await api('POST /beak/newsletter/subscribe', {
    body: { email, ...(partnerType === '' ? {} : { partner_type: partnerType }) },
  })
  if (!result.ok) return refused(previous, form, result.problem)
  return done(previous, '', { email })
}
