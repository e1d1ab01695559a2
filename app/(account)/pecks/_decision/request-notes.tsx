import { visible } from '@beak/decision/visible'
import { Ban, Clock3, Fingerprint, Repeat2, Server, Sparkles } from 'lucide'
import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { TimeText } from '@/components/ui/time-text'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import type { Peck, PeckDetails, ShownPeck } from '../_peck/reads'
import { requesterName } from '../_peck/words'
import { ReasonText } from './risk-mark'

export type AskerHistory = NonNullable<PeckDetails['asker_history']>

type Counts = Pick<AskerHistory, 'asked' | 'waiting' | 'approved' | 'approved_by_rule'>

/**
 * Returns how often the asker asked for this action before, and how often the viewer or a rule approved it. What still waits is unanswered, so it
 * accuses nobody.
 */
export function historyWords({ asked, waiting, approved, approved_by_rule: ruled }: Counts): string {
  const before = Math.max(asked - waiting, approved + ruled)
  if (before === 0)
    return waiting <= 1
      ? m.decision_first_ask_note()
      : m.decision_asked_count_waiting({ waiting, shown: shown(waiting) })
  const count = { before, shown: shown(before) }
  if (approved + ruled === 0) return m.decision_asked_count_never_approved(count)
  if (ruled === 0) return m.decision_asked_times_you_approved({ ...count, approved: shown(approved) })
  return approved === 0
    ? m.decision_asked_times_rule_approved({ ...count, ruled: shown(ruled) })
    : m.decision_asked_times_you_and_rule_approved({
        ...count,
        approved: shown(approved),
        ruled: shown(ruled),
      })
}

const shown = (count: number) => count.toLocaleString(readersLocale())

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

/** Calm lines around a request: facts that help to decide and are no danger by themselves. */

/** Says that the service does not know the action. */
export function UnknownAction({ peck, words }: Pick<ShownPeck, 'peck' | 'words'>) {
  if (words.isKnown) return null
  const isPerson = peck.requester.agent_name === undefined
  return (
    <p className="mt-2 text-sm">
      {isPerson ? m.decision_unknown_action_requester() : m.decision_unknown_action_agent()}
    </p>
  )
}

/** Says whose words they are, beside words of the asker that sound like the service. */
export function ImitationWarning() {
  return (
    <p className="flex items-start gap-2 text-sm font-semibold text-bad">
      <Icon of={Ban} size={16} className="mt-1 shrink-0" />
      {m.decision_requester_words_hint()}
    </p>
  )
}

/** What is new about the asker, the action or the values. */
export function NoveltyLines({
  peck,
  novelty,
}: {
  peck: Peck
  novelty: NonNullable<Peck['risk']>['novelty']
}) {
  // An agent that has just come was never approved.
  const isNew = novelty.some(({ rule }) => rule === 'new_agent')
  const shown = isNew ? novelty.filter(({ rule }) => rule !== 'first_time_asker') : novelty
  return shown.map(({ rule, text }) => (
    <Line key={rule} icon={<Icon of={Sparkles} size={16} />}>
      {rule === 'first_time_asker' ? (
        <Sentence
          of={m.decision_youve_never_approved_anything_from_requester}
          with={{ requester: requesterName(peck.requester) }}
        />
      ) : (
        <ReasonText text={text} />
      )}
    </Line>
  ))
}

/** Where the permission will be used. Only the requester says so. */
export function AudienceLine({ audience }: { audience: string }) {
  return (
    <Line icon={<Icon of={Server} size={16} />}>
      <Sentence
        of={m.decision_will_be_used_at_audience_named}
        with={{ audience: visible(audience) }}
        parts={{ code: (children) => <code translate="no">{children}</code> }}
      />
    </Line>
  )
}

/** That only a signed approval counts. Beak demands the passkey, too. */
export function SignatureLine() {
  return <Line icon={<Icon of={Fingerprint} size={16} />}>{m.decision_passkey_only_note()}</Line>
}

/** What the asker did with earlier approvals. */
export function UsedLine({ used, now, zone }: { used: AskerHistory['used'] } & Times) {
  if (used === null || used.approvals === 0) return null
  const { last_used_at: at } = used
  return (
    <Line icon={<Icon of={Repeat2} size={16} />}>
      <UsedSentence {...used} time={() => <TimeText at={at ?? now.toISOString()} now={now} zone={zone} />} />
    </Line>
  )
}

interface Times {
  now: Date
  zone: string | null
}

/** What happens when the person does nothing. */
export function ExpiryLine() {
  return <Line icon={<Icon of={Clock3} size={16} />}>{m.decision_expiry_note()}</Line>
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-start gap-2.5 text-sm text-soft">
      <span className="mt-1 shrink-0">{icon}</span>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}
