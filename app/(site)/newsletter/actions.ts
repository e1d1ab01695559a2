'use server'

import { api } from '@/app/_web/api'
import { type FormState, field, invalid, succeeded } from '@/app/_web/form'

export interface Asked {
  email: string
}

export async function subscribe(previous: FormState<Asked>, form: FormData): Promise<FormState<Asked>> {
  const email = field(form, 'email')
  const partnerType = field(form, 'partner_type')
  const result = await api('POST /beak/newsletter/subscribe', {
    body: { email, ...(partnerType === '' ? {} : { partner_type: partnerType }) },
  })
  if (!result.ok) return invalid(previous, form, result.problem)
  return succeeded(previous, '', { email })
}
