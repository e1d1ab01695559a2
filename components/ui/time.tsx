import { type TimeProps, TimeText } from './time-text'
import { chosenZone } from './zone'

/**
 * Shows a time in the time zone of the person, or its distance from `now`. The title has the time in UTC. For the server. Parts of a page
 * that only the browser renders use `BrowserTime`.
 */
export async function Time(props: TimeProps) {
  return <TimeText {...props} zone={await chosenZone()} />
}
