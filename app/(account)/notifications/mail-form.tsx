import type { ResponseOf } from '@/app/beak/_api/lines'
import { ActionForm, CheckField, SelectField, SubmitButton } from '@/components/ui/form'
import { changeMail } from './actions'

type Mail = ResponseOf<'GET /beak/notifications'>['channels']['mail']

/** The names of the choices. A choice that the API adds must be named here. */
const requestLabels = {
  all: 'Every request',
  others: 'Requests from other people and their agents',
  high_risk: 'Only requests with a high risk',
  none: 'No requests',
} satisfies Record<Mail['requests'], string>

export function MailForm({ requests, reminders }: Mail) {
  return (
    <ActionForm action={changeMail} label="Mail">
      <SelectField
        label="Mail me about"
        name="channels.mail.requests"
        defaultValue={requests}
        hint="Each request is announced once. The mail links to the request. You decide on the page, not in the mail."
      >
        {Object.entries(requestLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <CheckField
        label="Remind me before a request expires"
        name="channels.mail.reminders"
        defaultChecked={reminders}
        hint="Once, when a quarter of its time is left, at most a day before it expires. Requests that expire within an hour of being sent get no reminder."
      />
      <SubmitButton kind="plain">Save</SubmitButton>
    </ActionForm>
  )
}
