import { use } from 'react'
import { type TimeProps, TimeText } from './time-text'
import { chosenZone } from './zone'

/**
 * Shows a time in the time zone of the person, or its distance from `now`. The title has the time in UTC. For the server. Parts of a page
 * that only the browser renders use `BrowserTime`.
 */
export function Time(props: TimeProps) {
  // Not `await`: React would wait for each of the times on a page, and sends an asynchronous component apart from its place.
  return <TimeText {...props} zone={use(chosenZone())} />
}
