'use server'

import { formAction } from '@/app/_web/form-action'
import { field } from '@/components/ui/form-state'

/** A subscription that the reader has to confirm. */
export interface Unconfirmed {
  email: string
}

export const subscribe = formAction({
  call: 'POST /beak/newsletter/subscribe',
  input: (form) => {
    const partnerType = field(form, 'partner_type')
    return { email: field(form, 'email'), ...(partnerType === '' ? {} : { partner_type: partnerType }) }
  },
  page: '/newsletter',
  changes: [],
  done: (_, form) => ({ data: { email: field(form, 'email') } }),
})
