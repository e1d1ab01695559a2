import { personName } from '@beak/decision/person-name'
import { snakeCase } from '@beak/decision/secret-values'
import { visible } from '@beak/decision/visible'
import { BadgeCheck, Ban, Fingerprint, Repeat2, Server, Sparkles } from 'lucide'
import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { TimeText } from '@/components/ui/time-text'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import type { Peck, PeckDetails, ShownPeck } from '../_peck/reads'
import { ReasonText } from './risk-mark'

export type AskerHistory = NonNullable<PeckDetails['asker_history']>

type Counts = Pick<AskerHistory, 'asked' | 'waiting' | 'approved' | 'approved_by_rule'>

/**
 * Returns how often the asker asked for this action before, and how often the viewer or a rule approved it. What still waits is unanswered, so it
 * accuses nobody. Two that wait always differ: the service takes no second request for the same while the first one waits.
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

/** Says whose words an action has that the service does not know. A low risk is that of the words. */
export function UnknownAction({ peck, words }: Pick<ShownPeck, 'peck' | 'words'>) {
  if (words.isKnown) return null
  const isPerson = peck.requester.agent_name === undefined
  const whose = isPerson ? m.decision_words_of_requester() : m.decision_words_of_agent()
  return (
    <p className="mt-2 text-sm">
      {peck.risk?.level === 'low' ? m.decision_low_if_true({ whose }) : m.decision_unknown_action({ whose })}
    </p>
  )
}

const textNames = new Set([
  'text',
  'body',
  'message',
  'content',
  'html',
  'body_text',
  'body_html',
  'markdown',
])

/** Whether a value reads as the text of a mail, whatever its name: it has several lines, or more than fit into an address or a title. */
const isText = ([name, value]: [string, unknown]) =>
  typeof value === 'string' && name !== 'subject' && (value.length > 80 || value.trim().includes('\n'))

/** Whether a request to send a mail comes without the text of the mail. The asker chooses what to send along, and its names. */
export function lacksText({ action, params }: Pick<Peck, 'action' | 'params'>): boolean {
  if (!/^((send|forward|reply):(mail|email)|(mail|email)(:.*)?)$/.test(action)) return false
  return !Object.entries(params).some((param) => textNames.has(snakeCase(param[0])) || isText(param))
}

/** Says that the text of a mail is missing, so that nobody looks for it or believes that there is none. */
export function MissingTextLine({ peck }: Pick<ShownPeck, 'peck'>) {
  if (!lacksText(peck)) return null
  return (
    <p className="text-sm">
      {peck.requester.agent_name === undefined
        ? m.decision_text_missing_person()
        : m.decision_text_missing_agent()}
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
export function NoveltyLines({ novelty }: { novelty: NonNullable<Peck['risk']>['novelty'] }) {
  // An agent that has just come was never approved.
  const isNew = novelty.some(({ rule }) => rule === 'new_agent')
  const shown = isNew ? novelty.filter(({ rule }) => rule !== 'first_time_asker') : novelty
  return shown.map(({ rule, text }) => (
    <Line key={rule} icon={<Icon of={Sparkles} size={16} />}>
      <ReasonText text={text} />
    </Line>
  ))
}

/** What Beak has confirmed of a person, and that the name is the person's own choice. */
function Vouched({ tier, name }: { tier: string; name: string }) {
  const values = { name }
  switch (tier) {
    case 'T3':
      return <Sentence of={m.decision_vouched_t3} with={values} />
    case 'T2':
      return <Sentence of={m.decision_vouched_t2} with={values} />
    case 'T1':
      return <Sentence of={m.decision_vouched_t1} with={values} />
    default:
      return <Sentence of={m.decision_vouched_t0} with={values} />
  }
}

/** What Beak has confirmed of a person who asks without an agent, who chose the name, and by which link the person came. */
export function VouchedLine({
  peck,
  details,
  zone,
}: Pick<ShownPeck, 'peck' | 'details'> & { zone: string | null }) {
  const { requester } = peck
  const { invitation } = details
  const link = invitation === null ? null : <CameByLink invitation={invitation} zone={zone} />
  if (requester.agent_id !== undefined)
    return link === null ? null : <Line icon={<Icon of={BadgeCheck} size={16} />}>{link}</Line>
  return (
    <Line icon={<Icon of={BadgeCheck} size={16} />}>
      <Vouched tier={requester.trust_tier} name={personName(requester)} /> {link}
    </Line>
  )
}

interface CameByLinkProps {
  invitation: NonNullable<PeckDetails['invitation']>
  zone: string | null
}

function CameByLink({ invitation: { note, created_at: at }, zone }: CameByLinkProps) {
  const made = { at: () => <TimeText at={at} zone={zone} dateOnly /> }
  if (note === null) return <Sentence of={m.decision_came_by_link} parts={made} />
  return (
    <Sentence
      of={m.decision_came_by_link_named}
      parts={{ ...made, note: () => <bdi translate="no">{visible(note)}</bdi> }}
    />
  )
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

export function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-start gap-2.5 text-sm text-soft">
      <span className="mt-1 shrink-0">{icon}</span>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}
