'use server'

import { formAction } from '@/app/_web/form-action'
import { field } from '@/components/ui/form-state'

const page = '/certificate'

export const issueCertificate = formAction({
  call: 'POST /beak/cert/issue',
  input: () => ({}),
  page,
  done: 'Your certificate is issued.',
})

export const revokeCertificate = formAction({
  call: 'POST /beak/cert/revoke',
  input: (form) => ({ reason: field(form, 'reason') }),
  page,
  done: 'Your certificate is revoked. Anyone who checks it sees that.',
})
