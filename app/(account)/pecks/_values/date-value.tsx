import { Sentence } from '@/components/sentence'
import { TimeText } from '@/components/ui/time-text'
import { m } from '@/lib/kernel/messages'
import { readInstant } from './read-instant'

/** Returns the wall-clock time in a zone, to compare it with that of the asker: "19:30". */
function clockIn(at: string, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: zone }).format(new Date(at))
}

/** A date or time as the asker wrote it, in words. A time in another zone also as the time of the viewer. */
export function DateValue({ text, raw, zone }: { text: string; raw: unknown; zone: string | null }) {
  const at = readInstant(raw)
  const isSameClock = at !== null && zone !== null && at.slice(11, 16) === clockIn(at, zone)
  return (
    <>
      <span translate="no" className="block wrap-anywhere">
        {text}
      </span>
      {at === null || isSameClock ? null : (
        <span className="block text-sm text-soft">
          <Sentence of={m.requests_your_time} parts={{ time: () => <TimeText at={at} zone={zone} /> }} />
        </span>
      )}
    </>
  )
}
