import type { ResponseOf } from '@/app/beak/_api/lines'
import { ActionForm, CheckField, SubmitButton, TextField } from '@/components/ui/form'
import { changeQuietHours } from './actions'
import { TimeZoneField } from './time-zone-field'

type Settings = ResponseOf<'GET /beak/notifications'>

interface QuietFormProps {
  quietHours: Settings['quiet_hours']
  timeZone: Settings['time_zone']
  /** All time zones to choose from. */
  zones: string[]
}

/** CSS shows the times while the box is ticked, so it works without JavaScript. */
export function QuietForm({ quietHours, timeZone, zones }: QuietFormProps) {
  return (
    <ActionForm action={changeQuietHours} label="Quiet hours">
      <TimeZoneField timeZone={timeZone} zones={zones} />
      <div className="group grid gap-5">
        <CheckField
          label="Send no mail during quiet hours"
          name="quiet"
          defaultChecked={quietHours !== null}
        />
        <div className="hidden max-w-80 grid-cols-2 gap-4 group-has-[[name=quiet]:checked]:grid">
          <TextField
            label="From"
            name="quiet_hours.from"
            type="time"
            defaultValue={quietHours?.from ?? '22:00'}
          />
          <TextField
            label="Until"
            name="quiet_hours.to"
            type="time"
            defaultValue={quietHours?.to ?? '07:00'}
          />
        </div>
      </div>
      <SubmitButton kind="plain">Save</SubmitButton>
    </ActionForm>
  )
}
