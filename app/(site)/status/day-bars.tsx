import { longDay } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'
import { bars, barsWords, type ComponentHistory, type Day, dayWords, percent } from './words'

/** One bar for each day, oldest first, and the uptime. */
export function DayBars({ history }: { history: ComponentHistory }) {
  const { days, uptime } = history
  return (
    <div className="mt-4">
      <div role="img" aria-label={barsWords(history)} className="flex h-9 items-end gap-px sm:gap-0.5">
        {days.map((day) => (
          <span
            key={day.day}
            title={`${longDay(day.day)}: ${dayWords(day)}`}
            className="flex h-full min-w-0 flex-1 items-end"
          >
            <Bar condition={day.condition} className="w-full" />
          </span>
        ))}
      </div>
      <p className="mt-1.5 flex justify-between gap-4 text-xs text-soft">
        <span>{m.status_count_days_ago({ count: days.length })}</span>
        <span className="font-semibold text-ink tabular-nums">
          {uptime === null ? m.status_no_data_yet() : m.status_uptime_uptime({ uptime: percent(uptime) })}
        </span>
        <span>{m.status_today()}</span>
      </p>
    </div>
  )
}

function Bar({ condition, className }: { condition: Day['condition']; className: string }) {
  return <span aria-hidden="true" className={`block rounded-[1px] ${bars[condition].look} ${className}`} />
}

/** What the bars mean. */
export function Legend() {
  return (
    <ul
      aria-label={m.status_what_the_bars_mean()}
      className="flex flex-wrap gap-x-6 gap-y-2 text-sm text-soft"
    >
      {(Object.keys(bars) as Day['condition'][]).map((condition) => (
        <li key={condition} className="flex items-center gap-2">
          <span className="flex h-5 items-end">
            <Bar condition={condition} className="w-2" />
          </span>
          {bars[condition].label}
        </li>
      ))}
    </ul>
  )
}
