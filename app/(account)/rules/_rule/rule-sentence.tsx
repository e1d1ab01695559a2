import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'

interface RuleSentenceProps {
  subjectId: string
  subject: string
  sentence: string
  isLead?: boolean
  /** The rule only records what it would answer. */
  isWatching: boolean
  /** Whether it names the agent. A try-out always does. */
  hasSubject?: boolean
  children?: ReactNode
}

/** The whole rule in plain words, as the passkey signs it, and whom it is for. */
export function RuleSentence({
  subjectId,
  subject,
  sentence,
  isLead = false,
  isWatching,
  hasSubject = true,
  children,
}: RuleSentenceProps) {
  return (
    <div className="flex items-start gap-4">
      {hasSubject ? (
        <div className={isLead ? 'max-sm:hidden' : ''}>
          <Duck id={subjectId} size={isLead ? 56 : 40} />
        </div>
      ) : null}
      <div className="min-w-0 flex-1">
        <p className={hasSubject || isWatching ? 'text-sm text-soft wrap-anywhere' : 'visually-hidden'}>
          <Sentence
            of={isWatching ? m.rules_when_asks_watching : m.rules_when_asks}
            with={{ name: subject }}
            parts={{
              bdi: (name) => (
                <bdi translate="no" className="font-semibold text-ink">
                  {name}
                </bdi>
              ),
            }}
          />
        </p>
        <p
          data-rule-sentence
          className={`wrap-anywhere ${isLead ? 'mt-1 font-display text-lg leading-snug font-semibold sm:text-xl' : 'font-semibold'}`}
        >
          <bdi translate="no">{sentence}</bdi>
        </p>
        {children}
      </div>
    </div>
  )
}

/** The periods of a budget, as options of a field. */
export function PeriodOptions() {
  return (
    <>
      <option value="day">{m.rules_each_day()}</option>
      <option value="week">{m.rules_each_week()}</option>
      <option value="month">{m.rules_each_month()}</option>
    </>
  )
}
