'use client'

import { useEffect, useRef } from 'react'
import { SelectField } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'

/** The choice of a time zone. Selects the zone of this device when the account has none. It is stored only when the form is saved. */
export function TimeZoneField({
  timeZone,
  firstZone,
  zones,
}: {
  timeZone: string | null
  /** The zone of the browser of the first visit. */
  firstZone: string | null
  zones: string[]
}) {
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const select = field.current?.querySelector('select')
    const ofDevice = Intl.DateTimeFormat().resolvedOptions().timeZone
    if (select?.value === '' && zones.includes(ofDevice)) select.value = ofDevice
  }, [zones])
  return (
    <div ref={field} className="max-w-80">
      <SelectField
        label={m.notifications_your_time_zone()}
        name="time_zone"
        defaultValue={timeZone ?? ''}
        hint={m.notifications_mails_show_times_in_this_time()}
      >
        <option value="">
          {firstZone === null
            ? m.notifications_not_chosen_times_are_in_utc()
            : m.notifications_not_chosen_firstzone_from_your_first({ firstZone })}
        </option>
        {zones.map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </SelectField>
    </div>
  )
}
