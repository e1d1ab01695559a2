import { ChevronRight } from 'lucide'
import { Duck } from '@/components/duck'
import { KeptText } from '@/components/kept-text'
import { Icon } from '@/components/ui/icon'
import { Pill } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { sentenceCase } from '@/lib/kernel/text/shown-action'
import type { PresentedRule } from '../rules/_rule/reads'
import { RuleRow } from '../rules/_rule/rule-row'
import { allowingFirst, shortRules } from '../rules/_rule/short-words'
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

/** Returns the rules by the agents that they are for. Agents that the owner should look at come first, and then those that a rule allows something. */
function groupRules(rules: PresentedRule[], areAllPaused: boolean): RuleGroup[] {
  const groups = new Map<string, RuleGroup>()
  for (const rule of allowingFirst(rules, areAllPaused)) {
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
        {allowingFirst(rules, areAllPaused).map((rule) => rowOf(rule, false))}
      </ul>
    )
  return (
    <Folded aria-label={m.rules_living()} more={(count) => m.allowed_more_agents({ count })}>
      {groupRules(rules, areAllPaused).map(({ id, rules: own, needsLook: isOpen }) => (
        <li key={id} className="border-t border-line first:border-t-0">
          <details className="group/rules" open={isOpen}>
            <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 py-1.5 hover:bg-surface [&::-webkit-details-marker]:hidden">
              <Icon
                of={ChevronRight}
                size={16}
                className="shrink-0 text-soft group-open/rules:rotate-90 rtl:-scale-x-100"
              />
              <span className="max-sm:hidden">
                <Duck id={id} size={32} />
              </span>
              <span className="min-w-0 flex-1">
                <span className="flex items-baseline justify-between gap-3">
                  <bdi translate="no" className="min-w-0 font-semibold wrap-anywhere">
                    {own.slice(0, 1).map(nameOf)}
                  </bdi>
                  <span className="shrink-0 text-sm text-soft">
                    {m.allowed_rules_count({ count: own.length })}
                  </span>
                </span>
                <span className="block text-sm text-soft wrap-anywhere">
                  <KeptText text={shortLine(own, areAllPaused)} />
                </span>
              </span>
              <Looks rules={own} />
            </summary>
            <ul className="pb-3 sm:ps-7">{own.map((rule) => rowOf(rule, true))}</ul>
          </details>
        </li>
      ))}
    </Folded>
  )
}

/** How many rules the line of an agent names. */
const namedMax = 2

/** What the rules do, with marks around values: "Pay an invoice, up to €100.00 a month · Rejects: push code". */
function shortLine(rules: PresentedRule[], areAllPaused: boolean): string {
  const texts = shortRules(rules, areAllPaused)
  const more = texts.length - namedMax
  return [...texts.slice(0, namedMax), ...(more > 0 ? [m.rules_short_more({ count: more })] : [])]
    .map(sentenceCase)
    .join(' · ')
}

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
