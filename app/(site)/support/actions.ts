'use server'

import { api } from '@/app/_web/api'
import { done, type FormState, field, refused } from '@/app/_web/form'

export interface Ticket {
  ticketId: string
  email: string
}

export async function contactSupport(
  previous: FormState<Ticket>,
  form: FormData,
): Promise<FormState<Ticket>> {
  const email = field(form, 'email')
  const result = await api('POST /beak/support/contact', { body: { email, message: field(form, 'message') } })
  if (!result.ok) return refused(previous, form, result.problem)
  return done(previous, '', { ticketId: result.data.ticket_id, email })
}
