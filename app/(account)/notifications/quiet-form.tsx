import { ActionForm, CheckField, SubmitButton, TextField } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { changeQuietHours } from './actions'
import type { Settings } from './read'
import { TimeZoneField } from './time-zone-field'

interface QuietFormProps {
  quietHours: Settings['quiet_hours']
  timeZone: Settings['time_zone']
  highBreaksQuiet: boolean
  /** The zone of the browser of the first visit, when none was chosen. */
  firstZone: string | null
  /** All time zones to choose from. */
  zones: string[]
}

/** CSS shows the times while the box is ticked, so it works without JavaScript. */
export function QuietForm({ quietHours, timeZone, highBreaksQuiet, firstZone, zones }: QuietFormProps) {
  return (
    <ActionForm action={changeQuietHours} label={m.notifications_quiet_hours()}>
      <TimeZoneField timeZone={timeZone} firstZone={firstZone} zones={zones} />
      <div className="group grid gap-5">
        <CheckField
          label={m.notifications_send_nothing_during_quiet_hours()}
          name="quiet"
          defaultChecked={quietHours !== null}
        />
        <div className="hidden max-w-80 grid-cols-2 gap-4 group-has-[[name=quiet]:checked]:grid">
          <TextField
            label={m.notifications_from()}
            name="quiet_hours.from"
            type="time"
            defaultValue={quietHours?.from ?? '22:00'}
          />
          <TextField
            label={m.notifications_until()}
            name="quiet_hours.to"
            type="time"
            defaultValue={quietHours?.to ?? '07:00'}
          />
        </div>
      </div>
      <CheckField
        label={m.notifications_high_breaks_quiet()}
        name="high_breaks_quiet"
        defaultChecked={highBreaksQuiet}
        hint={m.notifications_high_breaks_quiet_hint()}
      />
      <SubmitButton kind="plain">{m.notifications_save()}</SubmitButton>
    </ActionForm>
  )
}
