'use server'

import { formAction } from '@/app/_web/form-action'
import type { BodyOf } from '@/app/beak/_api/lines'
import { field } from '@/components/ui/form-state'

type Change = BodyOf<'POST /beak/notifications/update'>
type Requests = NonNullable<NonNullable<NonNullable<Change['channels']>['mail']>['requests']>

const page = '/notifications'

export const changeMail = formAction({
  call: 'POST /beak/notifications/update',
  input: (form): Change => ({
    // The API refuses an unknown choice with an error for this field.
    channels: {
      mail: {
        requests: field(form, 'channels.mail.requests') as Requests,
        reminders: form.has('channels.mail.reminders'),
      },
    },
  }),
  page,
  done: 'Saved.',
})

export const changeQuietHours = formAction({
  call: 'POST /beak/notifications/update',
  input: (form): Change => ({
    quiet_hours: form.has('quiet')
      ? { from: field(form, 'quiet_hours.from'), to: field(form, 'quiet_hours.to') }
      : null,
    time_zone: field(form, 'time_zone') || null,
  }),
  page,
  done: 'Saved.',
})
