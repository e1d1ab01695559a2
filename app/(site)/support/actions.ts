'use server'

import { api } from '@/app/_web/api'
import { type FormState, field, invalid, succeeded } from '@/app/_web/form'

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
  if (!result.ok) return invalid(previous, form, result.problem)
  return succeeded(previous, '', { ticketId: result.data.ticket_id, email })
}
