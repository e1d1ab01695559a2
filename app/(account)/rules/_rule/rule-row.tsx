import { read } from '@/app/_web/page-read'
import { Sentence } from '@/components/sentence'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { pauseRule } from '../actions'
import { LeftBar } from './agent-budgets'
import { type PresentedRule, readRuleState, readSubjects, subjectName } from './reads'
import { RuleSentence } from './rule-sentence'
import { isExpiredAndAsks, isLiving, isSpent, stateBadge } from './words'

interface RuleRowProps {
  rule: PresentedRule
  subject: string
  areAllPaused: boolean
  now: Date
}

/** A rule in a list: its sentence, whom it is for, its state, what is left, and one tap to pause it. */
export function RuleRow({ rule, subject, areAllPaused, now }: RuleRowProps) {
  const { label, tone } = stateBadge(rule, areAllPaused)
  const { agent_id, operator_id } = rule.rule
  return (
    <li className="grid gap-4 border-t border-line py-5 first:border-t-0 sm:grid-cols-[minmax(0,1fr)_auto]">
      <RuleSentence subjectId={agent_id ?? operator_id ?? ''} subject={subject} sentence={rule.sentence}>
        <div className="mt-2 grid gap-2">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
            <Pill tone={tone}>{label}</Pill>
            {isExpiredAndAsks(rule) ? <span>{m.rules_expired_asks()}</span> : null}
            {isSpent(rule) ? <Pill tone="bad">{m.rules_state_spent()}</Pill> : null}
            <span>
              <UsedText rule={rule} now={now} />
            </span>
          </p>
          {isLiving(rule) ? <LeftBar budget={rule.rule.budget} left={rule.left} /> : null}
        </div>
      </RuleSentence>
      <div className="flex flex-wrap items-start gap-3 max-sm:ps-14">
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

/** The rules that answer for the viewer now, beside the permissions. Nothing for a person without rules. */
export async function LivingRules({ viewerId, now }: { viewerId: string; now: Date }) {
  const { living, paused_at } = await readRuleState()
  if (living === 0) return null
  const [{ items }, subjects] = await Promise.all([
    read('GET /beak/rule/list', { query: { limit: '100' } }),
    readSubjects(viewerId),
  ])
  return (
    <section aria-labelledby="rules" className="mb-10">
      <div className="flex flex-wrap items-baseline justify-between gap-x-5 border-b border-line pb-2">
        <h2 id="rules" className="text-lg">
          {m.rules_always_allowed()}
        </h2>
        <Link href="/rules" className="inline-flex min-h-11 items-center text-sm underline">
          {m.rules_all_rules()}
        </Link>
      </div>
      <ul aria-label={m.rules_always_allowed()}>
        {items.filter(isLiving).map((rule) => (
          <RuleRow
            key={rule.rule_id}
            rule={rule}
            subject={subjectName(subjects, rule.rule)}
            areAllPaused={paused_at !== null}
            now={now}
          />
        ))}
      </ul>
    </section>
  )
}
