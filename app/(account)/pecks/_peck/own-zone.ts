import { cache } from 'react'
import { findOverview } from '@/app/_web/viewer'
import { chosenZone } from '@/components/ui/zone'

/** Returns the time zone that the viewer has set for mails, or else the time zone of the browser. Null: neither is known. */
export const ownZone = cache(async (): Promise<string | null> => {
  return (await findOverview())?.time_zone ?? (await chosenZone())
})
