'use server'

import { formAction } from '@/app/_web/form-action'
import { field } from '@/components/ui/form-state'
import { parseAssertion } from './parse-assertion'

/** Stores that an older passkey of the viewer vouches for a newer one. */
export const endorsePasskey = formAction({
  call: 'POST /beak/passkey/endorse',
  input: (form) => ({
    passkey_id: field(form, 'passkey_id'),
    passkey: parseAssertion(field(form, 'passkey')),
  }),
  page: '/security',
  done: ({ name }) => `An older passkey now vouches for ${name}.`,
})
