import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { AgentStatus } from '../../agents/agent-status'
import { pauseRule } from '../actions'
import { LeftBar } from './agent-budgets'
import type { PresentedRule } from './reads'
import { RuleSentence } from './rule-sentence'
import { hasBar, isExpiredAndAsks, isSpent, stateBadge } from './words'

interface RuleRowProps {
  rule: PresentedRule
  subject: string
  /** The row stands below its agent, which it need not name. */
  isGrouped?: boolean
  /** The agent that the rule is for is suspended. */
  isSuspended: boolean
  areAllPaused: boolean
  now: Date
}

/** A rule in a list: its sentence, whom it is for, its state, what is left, and one tap to pause it. */
export function RuleRow({ rule, subject, isGrouped = false, isSuspended, areAllPaused, now }: RuleRowProps) {
  const { label, tone } = stateBadge(rule, areAllPaused)
  const { agent_id, operator_id, mode } = rule.rule
  return (
    <li className="grid gap-4 border-t border-line py-5 first:border-t-0 sm:grid-cols-[minmax(0,1fr)_auto]">
      <RuleSentence
        subjectId={agent_id ?? operator_id ?? ''}
        subject={subject}
        sentence={rule.sentence}
        isWatching={mode === 'watch'}
        hasSubject={!isGrouped}
      >
        <div className="mt-2 grid gap-2">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
            <Pill tone={tone}>{label}</Pill>
            {isExpiredAndAsks(rule) ? <span>{m.rules_expired_asks()}</span> : null}
            {isSuspended ? <AgentStatus status="suspended" /> : null}
            {isSpent(rule) ? <Pill tone="bad">{m.rules_state_spent()}</Pill> : null}
            <span>
              <UsedText rule={rule} now={now} />
            </span>
          </p>
          {hasBar(rule) ? <LeftBar budget={rule.rule.budget} left={rule.left} /> : null}
        </div>
      </RuleSentence>
      <div className={`flex flex-wrap items-start gap-3 ${isGrouped ? '' : 'max-sm:ps-14'}`}>
        <Link
          href={`/rules/${rule.rule_id}`}
          className="inline-flex min-h-11 items-center px-1 text-sm font-semibold underline"
          aria-label={m.rules_open_of({ name: subject })}
        >
          {m.rules_open()}
        </Link>
        {rule.status === 'on' ? (
          <ActionForm action={pauseRule} keepsDraft={false}>
            <input type="hidden" name="rule_id" value={rule.rule_id} />
            <SubmitButton kind="plain">
              <span aria-hidden="true">{m.rules_pause()}</span>
              <span className="visually-hidden">
                <Sentence of={m.rules_pause_of} with={{ name: subject }} />
              </span>
            </SubmitButton>
          </ActionForm>
        ) : rule.status === 'paused' ? (
          <ButtonLink href={`/rules/${rule.rule_id}`} aria-label={m.rules_resume_of({ name: subject })}>
            {m.rules_resume_ellipsis()}
          </ButtonLink>
        ) : null}
      </div>
    </li>
  )
}

/** How often a rule answered, and when last. */
export function UsedText({ rule: { used, last_used_at: at }, now }: { rule: PresentedRule; now: Date }) {
  if (at === null) return m.rules_not_used_yet()
  return (
    <Sentence
      of={m.rules_answered_times}
      with={{ count: used.uses }}
      parts={{ time: () => <Time at={at} now={now} /> }}
    />
  )
}
