import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { readersLocale } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'
import type { AskerHistory } from './history-words'

interface UsedSentenceProps extends Pick<NonNullable<AskerHistory['used']>, 'approvals' | 'uses'> {
  /** Shows the time of the last use. */
  time: () => ReactNode
}

/** What became of the latest approvals of an asker. Says the same of an agent and of a person. */
export function UsedSentence({ approvals, uses, time }: UsedSentenceProps) {
  if (uses === 0)
    return approvals === 1
      ? m.decision_last_approval_not_used()
      : m.decision_latest_approvals_not_used({ approvals })
  const count = { uses, shown: uses.toLocaleString(readersLocale()) }
  const parts = { timeText: time }
  return approvals === 1 ? (
    <Sentence of={m.decision_last_approval_used} with={count} parts={parts} />
  ) : (
    <Sentence of={m.decision_latest_approvals_used} with={{ ...count, approvals }} parts={parts} />
  )
}
