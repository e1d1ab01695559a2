import { moneyDigits } from '@beak/decision/display/money'
import { Repeat2 } from 'lucide'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { TimeText } from '@/components/ui/time-text'
import { m } from '@/lib/kernel/messages'
import type { PeckDetails } from '../_peck/reads'
import { Line } from './request-notes'

interface AsBeforeProps {
  asBefore: PeckDetails['as_before']
  now: Date
  zone: string | null
}

/** How often the viewer approved the same, and the largest amount of it. */
export function AsBeforeLine({ asBefore, now, zone }: AsBeforeProps) {
  if (asBefore === null) return null
  const { count, largest, last_approved_at: at } = asBefore
  const parts = { time: () => <TimeText at={at} now={now} zone={zone} /> }
  return (
    <Line icon={<Icon of={Repeat2} size={16} />}>
      {largest === undefined ? (
        <Sentence of={m.decision_as_before} with={{ count }} parts={parts} />
      ) : (
        <Sentence
          of={m.decision_as_before_at_most}
          with={{ count, amount: moneyDigits(largest) }}
          parts={parts}
        />
      )}
    </Line>
  )
}
