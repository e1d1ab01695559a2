import { isolated } from '@beak/decision/person-name'
import { quotedName } from '@beak/decision/quote'
import { ActionWords, KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import { ValuesLine } from '../../pecks/_list/values-line'
import type { ShownPeck } from '../../pecks/_peck/reads'
import { undoAnswer } from '../actions'
import { type PresentedRule, type RuleAnswer, readShown } from './reads'
import { leftTexts } from './words'

interface AnswerListProps {
  answers: RuleAnswer[]
  /** The rules of these answers, to say what is left. Empty: the list is on the page of the rule. */
  rules: PresentedRule[]
  label: string
  now: Date
}

/**
 * What rules answered, newest first: each rule once with what is left, its requests, and a button that takes an unused permission back.
 */
export async function AnswerList({ answers, rules, label, now }: AnswerListProps) {
  const shown = await readShown(answers.map(({ peck_id }) => peck_id))
  const rows = (some: RuleAnswer[]) =>
    some.map((answer) => (
      <AnswerRow key={answer.peck_id} answer={answer} shown={shown.get(answer.peck_id)} now={now} />
    ))
  if (rules.length === 0) return <ul aria-label={label}>{rows(answers)}</ul>
  const ids = [...new Set(answers.map(({ rule_id }) => rule_id))]
  return (
    <ul aria-label={label} className="grid gap-4">
      {ids.map((id) => {
        const rule = rules.find(({ rule_id }) => rule_id === id)
        return (
          <li key={id}>
            {rule === undefined ? null : <RuleLine rule={rule} />}
            <ul>{rows(answers.filter(({ rule_id }) => rule_id === id))}</ul>
          </li>
        )
      })}
    </ul>
  )
}

interface AnswerRowProps {
  answer: RuleAnswer
  shown: ShownPeck | undefined
  now: Date
}

function AnswerRow({ answer, shown, now }: AnswerRowProps) {
  const name = quotedName(answer.asker_name ?? answer.asker)
  const title = shown?.words.title ?? actionLabel(answer.action)
  const isCostShown = shown?.details.display.values.some(({ text }) => text === answer.cost)
  return (
    <li
      data-answer={answer.peck_id}
      className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line py-3 first:border-t-0 sm:flex-nowrap"
    >
      <div className="min-w-0 max-w-full sm:flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            href={`/pecks/${answer.peck_id}`}
            className="inline-flex min-h-6 items-center font-semibold no-underline wrap-anywhere hover:underline"
          >
            <ActionWords words={title} />
          </Link>
          <StatePill answer={answer} />
        </p>
        {shown === undefined ? null : <ValuesLine display={shown.details.display} />}
        <p className="text-sm text-soft wrap-anywhere">
          <bdi translate="no">{isolated(name)}</bdi> · <Time at={answer.at} now={now} />
          {answer.cost === null || isCostShown ? null : (
            <span className="tabular-nums">
              {' · '}
              <bdi translate="no">{answer.cost}</bdi>
            </span>
          )}
        </p>
      </div>
      {answer.grant_status === 'active' ? (
        <AnnouncedForm action={undoAnswer}>
          <input type="hidden" name="peck_id" value={answer.peck_id} />
          <SubmitButton kind="plain">
            <span aria-hidden="true">{m.rules_undo()}</span>
            <span className="visually-hidden">
              <Sentence of={m.rules_undo_of} with={{ action: title }} />
            </span>
          </SubmitButton>
        </AnnouncedForm>
      ) : null}
    </li>
  )
}

/** By which rule, and what is left of it. */
function RuleLine({ rule }: { rule: PresentedRule }) {
  const left = leftTexts({ budget: rule.rule.budget, left: rule.left })
  return (
    <p className="mt-1 text-sm wrap-anywhere">
      <Link href={`/rules/${rule.rule_id}`} className="underline">
        <bdi translate="no">{rule.sentence}</bdi>
      </Link>
      {left.length === 0 ? null : (
        <span className="text-soft">
          {' '}
          <KeptText text={left.join(' · ')} />
        </span>
      )}
    </p>
  )
}

function StatePill({ answer }: { answer: RuleAnswer }) {
  if (answer.answer === 'watched') return <Pill tone="accent">{m.rules_answer_watched()}</Pill>
  if (answer.answer === 'rejected') return <Pill tone="bad">{m.rules_answer_rejected()}</Pill>
  switch (answer.grant_status) {
    case 'consumed':
      return <Pill>{m.rules_answer_used()}</Pill>
    case 'revoked':
      return <Pill>{m.rules_answer_undone()}</Pill>
    case 'expired':
      return <Pill>{m.rules_answer_expired()}</Pill>
    default:
      return <Pill tone="good">{m.rules_answer_unused()}</Pill>
  }
}
