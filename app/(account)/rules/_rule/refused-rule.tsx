import { explain } from '@/app/_web/form'
import type { Problem } from '@/app/_web/problem'
import { Notice } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'

/** Why the fields make no rule yet: each fault with its field, or what the service says. */
export function RefusedRule({ problem }: { problem: Problem }) {
  const errors = problem.errors ?? []
  return (
    <Notice tone="warn" title={m.rules_not_a_rule_yet()}>
      {errors.length === 0 ? (
        explain(problem)
      ) : (
        <ul className="list-disc ps-5">
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`} className="wrap-anywhere">
              {m.rules_field_fault({ field: shownField(field), message })}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  )
}

/** "rule.params.amount.at_most" is "amount". */
function shownField(field: string): string {
  const [, first = '', second] = field.split('.')
  const labels: Record<string, () => string> = {
    actions: m.rules_actions,
    agent_id: m.rules_agent,
    operator_id: m.rules_agent,
    budget: m.rules_budget,
  }
  return first === 'params' && second !== undefined ? second : (labels[first]?.() ?? m.rules_rule())
}
