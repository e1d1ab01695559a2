'use server'

import { formAction } from '@/app/_web/form-action'
import { field } from '@/components/ui/form-state'

export interface Ticket {
  ticketId: string
  email: string
}

export const contactSupport = formAction({
  call: 'POST /beak/support/contact',
  input: (form) => ({ email: field(form, 'email'), message: field(form, 'message') }),
  page: '/support',
  changes: [],
  done: ({ ticket_id }, form) => ({ data: { ticketId: ticket_id, email: field(form, 'email') } }),
})
