'use server'

import { formAction } from '@/app/_web/form-action'
import { field } from '@/components/ui/form-state'

export const changeBuilder = formAction({
  call: 'POST /beak/profile/update',
  input: (form) => ({ builder: field(form, 'builder') === 'on' }),
  page: '/you',
  // The navigation and the footer of every page show other links.
  changes: ['/*'],
  done: '',
})
