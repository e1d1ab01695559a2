import { KeptText } from '@/components/kept-text'
import { ActionForm, SelectField, SubmitButton, TextField } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { removeAgentBudget, setAgentBudget } from '../actions'
import type { AgentBudget, PresentedRule, Subject } from './reads'
import { PeriodOptions } from './rule-sentence'
import { leftShare, leftTexts } from './words'

interface LeftBarProps {
  budget: PresentedRule['rule']['budget'] | null
  left: PresentedRule['left']
}

/** What is left of a budget, in words and as a bar. */
export function LeftBar({ budget, left }: LeftBarProps) {
  const [share, texts] = [leftShare({ budget, left }), leftTexts({ budget, left })]
  if (share === null || texts.length === 0) return null
  const fill = share === 0 ? 'fill-bad' : share < 0.2 ? 'fill-warn' : 'fill-accent'
  return (
    <div className="grid max-w-sm gap-1.5">
      <p className={`text-sm tabular-nums ${share === 0 ? 'font-semibold text-bad' : ''}`}>
        <KeptText text={texts.join(' · ')} />
      </p>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="block h-1.5 w-full">
        <rect width="100" height="4" rx="2" className="fill-line" />
        <rect width={share * 100} height="4" rx="2" className={fill} />
      </svg>
    </div>
  )
}

interface AgentBudgetsProps {
  budgets: AgentBudget[]
  subjects: Subject[]
}

/** What all rules together may allow one agent. */
export function AgentBudgets({ budgets, subjects }: AgentBudgetsProps) {
  const agents = subjects.filter(({ id }) => id.startsWith('AGT-'))
  const nameOf = (id: string) => agents.find((agent) => agent.id === id)?.name ?? id
  return (
    <details id="budgets" open={budgets.length > 0}>
      <summary className="inline-flex min-h-11 items-center rounded-control text-sm font-semibold underline">
        {m.rules_budgets()}
      </summary>
      <p className="mb-3 max-w-2xl text-soft">{m.rules_budgets_lead()}</p>
      {budgets.length === 0 ? null : (
        <ul aria-label={m.rules_budgets()} className="mb-6 border-y border-line">
          {budgets.map(({ agent_id, budget, left }) => (
            <li
              key={agent_id}
              className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line py-3 first:border-t-0"
            >
              <div className="grid min-w-0 grow gap-1">
                <p className="font-semibold wrap-anywhere">
                  <bdi translate="no">{nameOf(agent_id)}</bdi>
                </p>
                <LeftBar budget={budget} left={left} />
              </div>
              <ActionForm
                action={removeAgentBudget}
                label={m.rules_budget_remove_of({ name: nameOf(agent_id) })}
                keepsDraft={false}
              >
                <input type="hidden" name="agent_id" value={agent_id} />
                <SubmitButton kind="plain">{m.rules_budget_remove()}</SubmitButton>
              </ActionForm>
            </li>
          ))}
        </ul>
      )}
      {agents.length === 0 ? null : (
        <details>
          <summary className="inline-flex min-h-11 items-center rounded-control text-sm font-semibold underline">
            {m.rules_budget_set()}
          </summary>
          <div className="mt-3 max-w-2xl">
            <ActionForm action={setAgentBudget} label={m.rules_budget_set()}>
              <SelectField label={m.rules_agent()} name="agent_id">
                {agents.map(({ id, name }) => (
                  <option key={id} value={id} translate="no">
                    {name}
                  </option>
                ))}
              </SelectField>
              <div className="grid gap-4 sm:grid-cols-3">
                <TextField
                  label={m.rules_amount()}
                  name="amount"
                  optional
                  placeholder="€100.00"
                  maxLength={64}
                />
                <TextField
                  label={m.rules_uses_each()}
                  name="uses_each"
                  optional
                  inputMode="numeric"
                  maxLength={6}
                />
                <SelectField label={m.rules_per()} name="per" defaultValue="month">
                  <PeriodOptions />
                </SelectField>
              </div>
              <SubmitButton>{m.rules_budget_save()}</SubmitButton>
            </ActionForm>
          </div>
        </details>
      )}
    </details>
  )
}
