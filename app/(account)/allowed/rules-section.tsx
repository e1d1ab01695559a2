import { read } from '@/app/_web/page-read'
import { ButtonLink } from '@/components/ui/button'
import { Section } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { Pager } from '../pecks/_list/pager'
import { AgentBudgets } from '../rules/_rule/agent-budgets'
import { type PresentedRule, readRuleState, readSubjects, subjectName } from '../rules/_rule/reads'
import { RuleRow } from '../rules/_rule/rule-row'
import { isExpiredAndAsks, isLiving } from '../rules/_rule/words'
import { RuleGroups } from './rule-groups'

/** Reads a page of the rules, or null when there are none. For the page itself: a wrong marker in its address is then said with status 400. */
export async function readRulesSection(viewerId: string, cursor: string) {
  const state = await readRuleState()
  // A wrong marker is refused for everybody.
  if (!state.made && cursor === '') return null
  const [rules, budgets, subjects] = await Promise.all([
    read('GET /beak/rule/list', { query: { cursor, limit: '50' } }),
    read('GET /beak/rule/budgets', { query: {} }),
    readSubjects(viewerId),
  ])
  return { rules, budgets, subjects, areAllPaused: state.paused_at !== null }
}

/** The rules that answer for the viewer, with what is left of their budgets. Ended rules and the budgets of agents are folded. */
export function RulesSection({
  found,
  suspended,
  cursor,
  now,
}: {
  found: Awaited<ReturnType<typeof readRulesSection>>
  /** The viewer's agents that are suspended. */
  suspended: Set<string>
  cursor: string
  now: Date
}) {
  if (found === null)
    return (
      <Section id="rules" title={m.allowed_rules()} lead={m.allowed_rules_appear()}>
        <ButtonLink href="/rules/new">{m.rules_new()}</ButtonLink>
      </Section>
    )
  const { budgets, subjects, areAllPaused } = found
  const { items, next_cursor: next } = found.rules
  const isShownFirst = (rule: PresentedRule) => isLiving(rule) || isExpiredAndAsks(rule)
  const living = items.filter(isShownFirst)
  const ended = items.filter((rule) => !isShownFirst(rule))
  const nameOf = ({ rule }: PresentedRule) => subjectName(subjects, rule)
  return (
    <Section id="rules" title={m.allowed_rules()}>
      {living.length === 0 ? (
        <p className="mb-4 text-soft">{m.rules_none_living()}</p>
      ) : (
        <RuleGroups
          rules={living}
          nameOf={nameOf}
          suspended={suspended}
          areAllPaused={areAllPaused}
          now={now}
        />
      )}
      <p className="mt-2 mb-4 flex flex-wrap gap-3">
        <ButtonLink href="/rules/new">{m.rules_new()}</ButtonLink>
        <ButtonLink href="/rules/answers">{m.rules_see_answers()}</ButtonLink>
      </p>
      <AgentBudgets budgets={budgets.items} subjects={subjects} />
      {ended.length === 0 ? null : (
        <details>
          <summary className={summary}>{m.rules_ended_rules()}</summary>
          <ul aria-label={m.rules_ended_rules()} className="border-t border-line">
            {ended.map((rule) => (
              <RuleRow
                key={rule.rule_id}
                rule={rule}
                subject={nameOf(rule)}
                isSuspended={false}
                areAllPaused={areAllPaused}
                now={now}
              />
            ))}
          </ul>
        </details>
      )}
      <Pager here="/allowed" name="rules" cursor={cursor} next={next} />
    </Section>
  )
}

const summary = 'inline-flex min-h-11 items-center rounded-control text-sm font-semibold underline'
