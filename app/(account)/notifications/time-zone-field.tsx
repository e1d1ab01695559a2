'use client'

import { useEffect, useRef, useState } from 'react'
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
  const [ofDevice, setOfDevice] = useState<string | null>(null)
  useEffect(() => setOfDevice(Intl.DateTimeFormat().resolvedOptions().timeZone), [])
  useEffect(() => {
    const select = field.current?.querySelector('select')
    if (select?.value === '' && ofDevice !== null) select.value = ofDevice
  }, [ofDevice])
  // The list has one name of each zone. Browsers and earlier versions of the service may use another one ("Europe/Kyiv" for "Europe/Kiev").
  const own = [timeZone, ofDevice].filter((zone): zone is string => zone !== null && !zones.includes(zone))
  const choices = [...new Set([...own, ...zones])]
  return (
    <div ref={field} className="max-w-80">
      <SelectField
        label={m.notifications_your_time_zone()}
        name="time_zone"
        defaultValue={timeZone ?? ''}
        hint={m.notifications_time_zone_hint()}
      >
        <option value="">
          {firstZone === null
            ? m.notifications_not_chosen_times_are_in_utc()
            : m.notifications_not_chosen_firstzone_from_your_first({ firstZone })}
        </option>
        {choices.map((zone) => (
          <option key={zone} value={zone} translate="no">
            {zone}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
