'use client'

import { useEffect, useRef } from 'react'
import { SelectField } from '@/components/ui/form'

/** The choice of a time zone. Selects the zone of this device when the account has none. It is stored only when the form is saved. */
export function TimeZoneField({ timeZone, zones }: { timeZone: string | null; zones: string[] }) {
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const select = field.current?.querySelector('select')
    const ofDevice = Intl.DateTimeFormat().resolvedOptions().timeZone
    if (select?.value === '' && zones.includes(ofDevice)) select.value = ofDevice
  }, [zones])
  return (
    <div ref={field} className="max-w-80">
      <SelectField
        label="Your time zone"
        name="time_zone"
        defaultValue={timeZone ?? ''}
        hint="Mails show times in this time zone."
      >
        <option value="">Not chosen (times are in UTC)</option>
        {zones.map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </SelectField>
    </div>
  )
}
