import type { TimeForm } from '@beak/decision/times'
import { distanceFrom, inUtc, inZone } from '@/lib/kernel/text/time-words'

export interface TimeProps {
  /** ISO 8601. */
  at: string
  /** Shows the distance from this time instead of the time itself. */
  now?: Date
  dateOnly?: boolean
  /** Default: `full`. */
  form?: TimeForm
}

/**
 * Shows a time in a zone. The title has it in UTC. On paper, where nobody can look at a title, the title follows in brackets.
 * The script of `LocalTimes` finds the elements by `data-form`. React must keep the text that the script has changed.
 */
export function TimeText({
  at,
  zone,
  now,
  dateOnly = false,
  form = dateOnly ? 'day' : 'full',
}: TimeProps & { zone: string | null }) {
  const [utc, full] = [inUtc(at), inZone(at, zone)]
  const title = now && full !== utc ? `${full} (${utc})` : utc
  const text = now ? distanceFrom(now, at) : inZone(at, zone, form)
  return (
    <time
      suppressHydrationWarning
      dateTime={at}
      title={title}
      data-form={now ? undefined : form}
      data-print={text === utc ? undefined : title}
      className="tabular-nums"
    >
      {text}
    </time>
  )
}
