import type { ResponseOf } from '@/app/beak/_api/lines'
import { ActionForm, CheckField, SelectField, SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { changeMail } from './actions'

type Mail = ResponseOf<'GET /beak/notifications'>['channels']['mail']

/** The names of the choices. A choice that the API adds must be named here. */
const requestLabels = {
  get all() {
    return m.notifications_every_request()
  },
  get others() {
    return m.notifications_requests_from_other_people_their_agents()
  },
  get high_risk() {
    return m.notifications_only_requests_with_a_high_risk()
  },
  get none() {
    return m.notifications_no_requests()
  },
} satisfies Record<Mail['requests'], string>

export function MailForm({ requests, reminders, details, rules }: Mail) {
  return (
    <ActionForm action={changeMail} label={m.notifications_kind_mail()}>
      <SelectField
        label={m.notifications_mail_me_about()}
        name="channels.mail.requests"
        defaultValue={requests}
        hint={m.notifications_mail_form_hint()}
      >
        {Object.entries(requestLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <CheckField
        label={m.notifications_remind_me_before_a_request_expires()}
        name="channels.mail.reminders"
        defaultChecked={reminders}
        hint={m.notifications_once_when_quarter_its_time_is()}
      />
      <CheckField
        label={m.notifications_name_amount_or_target_in_mails()}
        name="channels.mail.details"
        defaultChecked={details}
        hint={m.notifications_mail_value_hint()}
      />
      <CheckField
        label={m.notifications_numbers_of_rules_once_a_week()}
        name="channels.mail.rules"
        defaultChecked={rules}
        hint={m.notifications_only_after_weeks_with_answers()}
      />
      <SubmitButton kind="plain">{m.notifications_save()}</SubmitButton>
    </ActionForm>
  )
}
