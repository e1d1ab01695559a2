import { fieldProblem, type Problem } from '@/app/_web/problem'
import { Card } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { type Draft, ruleIn } from './draft'
import { rehearse, type Subject, subjectName } from './reads'
import { RefusedRule } from './refused-rule'
import { RehearsalSection } from './rehearsal'
import { RuleForm } from './rule-form'
import { RuleSentence } from './rule-sentence'
import { SignForm } from './sign-form'

interface EditorProps {
  path: string
  draft: Draft
  subjects: Subject[]
  actions: string[]
  hasPasskey: boolean
  now: Date
  /** The rule that is changed, and how many seconds it still holds, unless it has expired. Undefined: a new rule. */
  change?: { ruleId: string; leftSeconds?: number }
}

const inexactProblem = (places: string[]): Problem => ({
  ...fieldProblem('rule', m.field_number_must_be_string()),
  errors: places.map((place) => ({ field: `rule.${place}`, message: m.field_number_must_be_string() })),
})

/** The fields of a rule, its sentence, the signature, and what the rule would have answered. */
export async function Editor({ path, draft, subjects, actions, hasPasskey, now, change }: EditorProps) {
  const rule = ruleIn(draft, change?.leftSeconds)
  const result = rule === null ? null : await rehearse(rule, change?.ruleId)
  const name = rule === null ? '' : subjectName(subjects, rule)
  return (
    <>
      <div className="mb-12 grid items-start gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <Card className="xl:sticky xl:top-6 xl:order-last">
          <div className="grid gap-5" aria-live="polite">
            {draft.inexact.length > 0 ? (
              <RefusedRule problem={inexactProblem(draft.inexact)} />
            ) : rule === null || result === null ? (
              <p className="text-soft">{m.rules_say_who_and_what()}</p>
            ) : result.ok ? (
              <>
                <RuleSentence
                  subjectId={rule.agent_id ?? rule.operator_id ?? ''}
                  subject={name}
                  sentence={result.data.sentence}
                />
                <SignForm
                  rule={rule}
                  hasPasskey={hasPasskey}
                  needsPasskey={result.data.needs_passkey}
                  {...(change === undefined ? {} : { ruleId: change.ruleId })}
                />
              </>
            ) : (
              <RefusedRule problem={result.problem} />
            )}
          </div>
        </Card>
        <RuleForm
          path={path}
          draft={draft}
          subjects={subjects}
          actions={actions}
          isChange={change !== undefined}
        />
      </div>
      {result?.ok ? <RehearsalSection rehearsal={result.data} name={name} now={now} /> : null}
    </>
  )
}
