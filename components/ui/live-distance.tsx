'use client'

import { TimeText } from './time-text'
import { useNow } from './use-now'

interface LiveDistanceProps {
  /** ISO 8601. */
  at: string
  /** When the server rendered it, in milliseconds. */
  serverNow: number
  zone: string | null
}

/** Shows the distance of a time from now, and keeps it right. For parts that stay while the person goes from page to page. */
export function LiveDistance({ at, serverNow, zone }: LiveDistanceProps) {
  return <TimeText at={at} now={new Date(useNow(serverNow))} zone={zone} />
}
