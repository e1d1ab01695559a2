'use server'

import { formAction } from '@/app/_web/form-action'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { parseAssertion } from './parse-assertion'

/** Stores that an older passkey of the viewer vouches for a newer one. */
export const endorsePasskey = formAction({
  call: 'POST /beak/passkey/endorse',
  input: (form) => ({
    passkey_id: field(form, 'passkey_id'),
    passkey: parseAssertion(field(form, 'passkey')),
  }),
  page: '/security',
  done: ({ name }) => m.passkeys_older_passkey_now_vouches_for_name({ name }),
})
