'use client'

import { useSyncExternalStore } from 'react'
import { type TimeProps, TimeText } from './time-text'

const never = () => () => undefined

/** Shows a time in the zone of the browser, like `Time`. For parts of a page that only the browser renders. */
export function BrowserTime(props: TimeProps) {
  const zone = useSyncExternalStore(
    never,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => null,
  )
  return <TimeText {...props} zone={zone} />
}
