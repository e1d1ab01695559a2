'use server'

import { formAction } from '@/app/_web/form-action'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'

export const changeContact = formAction({
  call: 'POST /beak/contact/update',
  input: (form) => ({
    asker: field(form, 'asker'),
    note: field(form, 'note'),
    // Only a change: setting it may need a proof.
    ...(form.has('always') === form.has('was_always') ? {} : { always: form.has('always') }),
  }),
  page: '/pecks/contacts',
  done: () => m.contacts_saved(),
})
