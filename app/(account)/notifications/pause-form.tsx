import { Sentence } from '@/components/sentence'
import { ActionForm, SelectField, SubmitButton, TextField } from '@/components/ui/form'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { endPause, startPause } from './actions'

interface PauseFormProps {
  /** ISO 8601. Null: there is no pause. */
  until: string | null
  /** The days that can be chosen, such as 2026-11-27. */
  firstDay: string
  lastDay: string
}

/** CSS shows the day while "until a day" is chosen, so it works without JavaScript. */
export function PauseForm({ until, firstDay, lastDay }: PauseFormProps) {
  if (until !== null)
    return (
      <ActionForm action={endPause} label={m.notifications_pause()}>
        <p className="font-semibold">
          <Sentence of={m.notifications_paused_until} parts={{ time: () => <Time at={until} /> }} />
        </p>
        <SubmitButton kind="plain">{m.notifications_end_pause()}</SubmitButton>
      </ActionForm>
    )
  return (
    <ActionForm action={startPause} label={m.notifications_pause()} className="group max-w-80">
      <SelectField label={m.notifications_how_long()} name="pause">
        <option value="hour">{m.notifications_one_hour()}</option>
        <option value="morning">{m.notifications_until_tomorrow_morning()}</option>
        <option value="day">{m.notifications_until_a_day()}</option>
      </SelectField>
      <div className="hidden group-has-[option[value=day]:checked]:block">
        <TextField
          label={m.notifications_day()}
          name="day"
          type="date"
          min={firstDay}
          max={lastDay}
          defaultValue={firstDay}
          hint={m.notifications_day_hint()}
        />
      </div>
      <SubmitButton kind="plain">{m.notifications_start_pause()}</SubmitButton>
    </ActionForm>
  )
}
