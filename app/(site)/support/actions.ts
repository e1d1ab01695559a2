'use server'

import { callApi } from '@/app/_web/call-api'
import { done, type FormState, field, refused } from '@/app/_web/form'
import { POST as contact } from '@/app/beak/support/contact/route'

export interface Ticket {
  ticketId: string
  email: string
}

export async function contactSupport(
  previous: FormState<Ticket>,
  form: FormData,
): Promise<FormState<Ticket>> {
  const email = field(form, 'email')
  const result = await callApi(contact, 'POST', { body: { email, message: field(form, 'message') } })
  if (!result.ok) return refused(previous, form, result.problem)
  return done(previous, '', { ticketId: result.data.ticket_id, email })
}
