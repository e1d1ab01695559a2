import { ChevronRight } from 'lucide'
import { Duck } from '@/components/duck'
import { KeptText } from '@/components/kept-text'
import { Icon } from '@/components/ui/icon'
import { Pill } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { keptAction } from '@/lib/kernel/text/kept-values'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import type { PresentedRule } from '../rules/_rule/reads'
import { RuleRow } from '../rules/_rule/rule-row'
import { isExpiredAndAsks, isSpent, stateBadge } from '../rules/_rule/words'
import { Folded } from './folded'

/** With so few rules, groups would be longer than the list. */
const groupedFrom = 9

interface RuleGroup {
  /** Id of the agent, or of the person for all agents. */
  id: string
  rules: PresentedRule[]
  /** What the owner should look at: a spent budget, a pause, an expired rule. */
  needsLook: boolean
}

const subjectOf = ({ rule }: PresentedRule) => rule.agent_id ?? rule.operator_id ?? ''

const needsLook = (rule: PresentedRule) => isSpent(rule) || isExpiredAndAsks(rule) || rule.status === 'paused'

/** Returns the rules by the agents that they are for. Those that the owner should look at come first, and then the newest. */
function groupRules(rules: PresentedRule[]): RuleGroup[] {
  const groups = new Map<string, RuleGroup>()
  for (const rule of rules) {
    const id = subjectOf(rule)
    const group = groups.get(id) ?? { id, rules: [], needsLook: false }
    groups.set(id, group)
    group.rules.push(rule)
    group.needsLook ||= needsLook(rule)
  }
  return [...groups.values()].sort((left, right) => Number(right.needsLook) - Number(left.needsLook))
}

interface RuleGroupsProps {
  rules: PresentedRule[]
  nameOf: (rule: PresentedRule) => string
  /** The viewer's agents that are suspended. */
  suspended: Set<string>
  areAllPaused: boolean
  now: Date
}

/** The rules of the viewer. Many are grouped by their agents, one line for each, and fold out. */
export function RuleGroups({ rules, nameOf, suspended, areAllPaused, now }: RuleGroupsProps) {
  const rowOf = (rule: PresentedRule, isGrouped: boolean) => (
    <RuleRow
      key={rule.rule_id}
      rule={rule}
      subject={nameOf(rule)}
      isGrouped={isGrouped}
      isSuspended={suspended.has(rule.rule.agent_id ?? '')}
      areAllPaused={areAllPaused}
      now={now}
    />
  )
  if (rules.length < groupedFrom)
    return (
      <ul aria-label={m.rules_living()} className="border-t border-line">
        {rules.map((rule) => rowOf(rule, false))}
      </ul>
    )
  return (
    <Folded aria-label={m.rules_living()} more={(count) => m.allowed_more_agents({ count })}>
      {groupRules(rules).map(({ id, rules: own, needsLook: isOpen }) => (
        <li key={id} className="border-t border-line first:border-t-0">
          <details className="group/rules" open={isOpen}>
            <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 py-1.5 hover:bg-surface [&::-webkit-details-marker]:hidden">
              <Icon
                of={ChevronRight}
                size={16}
                className="shrink-0 text-soft group-open/rules:rotate-90 rtl:-scale-x-100"
              />
              <Duck id={id} size={32} />
              <span className="min-w-0 flex-1">
                <bdi translate="no" className="block font-semibold wrap-anywhere">
                  {own.slice(0, 1).map(nameOf)}
                </bdi>
                <span className="block truncate text-sm text-soft">
                  <KeptText text={actionsOf(own)} />
                </span>
              </span>
              <Looks rules={own} />
              <span className="shrink-0 text-sm text-soft">
                {m.allowed_rules_count({ count: own.length })}
              </span>
            </summary>
            <ul className="pb-3 sm:ps-7">{own.map((rule) => rowOf(rule, true))}</ul>
          </details>
        </li>
      ))}
    </Folded>
  )
}

/** What the rules are about, with marks around names of actions: "Pay an invoice, Send an email". */
const actionsOf = (rules: PresentedRule[]): string =>
  [...new Set(rules.flatMap(({ rule }) => rule.actions))]
    .map((action) => keptAction(actionLabel(action)))
    .join(', ')

/** Why the owner should look at rules. */
function Looks({ rules }: { rules: PresentedRule[] }) {
  const labels = rules
    .filter(needsLook)
    .map((rule) => (isSpent(rule) ? m.rules_state_spent() : stateBadge(rule, false).label))
  return [...new Set(labels)].map((label) => (
    <Pill key={label} tone="warn">
      {label}
    </Pill>
  ))
}
