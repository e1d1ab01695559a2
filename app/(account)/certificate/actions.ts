'use server'

import { formAction } from '@/app/_web/form-action'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'

const page = '/certificate'

export const issueCertificate = formAction({
  call: 'POST /beak/cert/issue',
  input: () => ({}),
  page,
  get done() {
    return m.certificate_your_certificate_is_issued()
  },
})

export const revokeCertificate = formAction({
  call: 'POST /beak/cert/revoke',
  input: (form) => ({ reason: field(form, 'reason') }),
  page,
  get done() {
    return m.certificate_revoke_done()
  },
})
