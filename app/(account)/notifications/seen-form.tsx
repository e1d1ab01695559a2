import { ActionForm, CheckField, SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { changeSeen } from './actions'

export function SeenForm({ shows }: { shows: boolean }) {
  return (
    <ActionForm action={changeSeen} label={m.notifications_seen()}>
      <CheckField
        label={m.notifications_show_seen()}
        name="shows_seen"
        defaultChecked={shows}
        hint={m.notifications_show_seen_hint()}
      />
      <SubmitButton kind="plain">{m.notifications_save()}</SubmitButton>
    </ActionForm>
  )
}
