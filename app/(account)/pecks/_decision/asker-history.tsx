import { History } from 'lucide'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { TimeText } from '@/components/ui/time-text'
import { m } from '@/lib/kernel/messages'
import { ShortValue } from '../_values/value'
import { type AskerHistory, historyWords } from './history-words'

interface AskerHistoryLineProps {
  history: AskerHistory
  now: Date
  zone: string | null
}

/** What the viewer did with earlier requests of this asker: "Asked 14 times, you approved 12. Last time, 3 days ago: €38.00". */
export function AskerHistoryLine({ history, now, zone }: AskerHistoryLineProps) {
  const value = history.approved_values.find(({ decides }) => decides)
  const lastTime =
    history.approved_at === null ? null : <TimeText at={history.approved_at} now={now} zone={zone} />
  return (
    <p className="flex items-start gap-2.5 text-sm text-soft">
      <Icon of={History} size={16} className="mt-1 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {historyWords(history)}
        {history.approved_at === null ? null : (
          <>
            {' '}
            {value === undefined ? (
              <Sentence of={m.decision_last_time_plain} parts={{ time: () => lastTime }} />
            ) : (
              <Sentence
                of={m.decision_last_time_value}
                parts={{ time: () => lastTime, value: () => <ShortValue value={value} /> }}
              />
            )}
          </>
        )}
      </span>
    </p>
  )
}
