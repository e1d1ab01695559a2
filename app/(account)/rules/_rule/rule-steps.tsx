import type { ReactNode } from 'react'
import { fieldProblem, type Problem } from '@/app/_web/problem'
import { Card } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { type ChipRow, Chips } from './chips'
import { type Rehearsal, rehearse, type SentRule } from './reads'
import { RefusedRule } from './refused-rule'
import { RehearsalSection } from './rehearsal'
import { RuleSentence } from './rule-sentence'
import { SignForm } from './sign-form'
import type { Part } from './steps'
import { partLabel, stepText } from './words'

interface RuleStepsProps {
  /** Null: the fields name no rule yet. */
  rule: SentRule | null
  /** The numbers of the fields that JSON does not keep. */
  inexact?: string[]
  /** Whose requests the rule answers. */
  name: string
  parts?: Part[]
  chosen?: number[]
  /** The address of the page, to which the steps are added. */
  path: string
  hasPasskey: boolean
  now: Date
  /** The waiting request that is approved after the rule is made. */
  peckId?: string
  /** The rule that is changed. Its steps are unfolded, and an unchanged rule cannot be saved. */
  change?: { ruleId: string; isUnchanged: boolean }
  /** The person has chosen steps: they stay unfolded. */
  isAdjusted?: boolean
  /** What stands above the button. */
  note?: (rehearsal: Rehearsal) => ReactNode
  /** What stands below the button. */
  children?: ReactNode
  /** The fields for programs. */
  form?: ReactNode
}

const inexactProblem = (places: string[]): Problem => ({
  ...fieldProblem('rule', m.field_number_must_be_string()),
  errors: places.map((place) => ({ field: `rule.${place}`, message: m.field_number_must_be_string() })),
})

/** A rule as a sentence with the button that signs it. Folded below: a row of chips for each part, and what it would have answered. */
export async function RuleSteps({
  rule,
  inexact = [],
  name,
  parts = [],
  chosen = [],
  path,
  hasPasskey,
  now,
  peckId,
  change,
  isAdjusted = false,
  note,
  children,
  form,
}: RuleStepsProps) {
  const result = rule === null ? null : await rehearse(rule, change?.ruleId)
  return (
    <>
      <Card className="mb-12 grid gap-6">
        <div aria-live="polite">
          {inexact.length > 0 ? (
            <RefusedRule problem={inexactProblem(inexact)} />
          ) : rule === null || result === null ? (
            <p className="text-soft">{m.rules_say_who_and_what()}</p>
          ) : result.ok ? (
            <RuleSentence
              subjectId={rule.agent_id ?? rule.operator_id ?? ''}
              subject={name}
              sentence={result.data.sentence}
              isWatching={rule.mode === 'watch'}
              isLead
            />
          ) : (
            <RefusedRule problem={result.problem} />
          )}
        </div>
        {result?.ok ? note?.(result.data) : null}
        {rule !== null && result?.ok ? (
          <div className="grid justify-items-start gap-3">
            {change?.isUnchanged ? (
              <p className="text-soft">{m.rules_unchanged()}</p>
            ) : (
              <SignForm
                rule={rule}
                hasPasskey={hasPasskey}
                needsPasskey={result.data.needs_passkey}
                {...(change === undefined ? {} : { ruleId: change.ruleId })}
                {...(peckId === undefined ? {} : { peckId })}
              />
            )}
            {children}
          </div>
        ) : null}
        {parts.length === 0 ? null : (
          <details
            open={isAdjusted || change !== undefined || !result?.ok}
            className="border-t border-line pt-3"
          >
            <summary className="min-h-11 cursor-pointer py-2 font-semibold">{m.rules_adjust()}</summary>
            <div className="pt-3">
              <Chips rows={parts.map(rowOf)} chosen={chosen} path={path} />
            </div>
          </details>
        )}
      </Card>
      {form}
      {result?.ok ? (
        <RehearsalSection rehearsal={result.data} name={name} now={now} isRule={change !== undefined} />
      ) : null}
    </>
  )
}

const rowOf = (part: Part): ChipRow => ({
  id: `${part.kind} ${part.name}`,
  label: partLabel(part),
  steps: part.steps.map(({ words }) => stepText(words)),
})
