import { Button } from '@/components/ui/button'
import { SelectField, TextField } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { type ConstraintKind, constraintKinds, type Draft, keepDays, type Row } from './draft'
import { LiveForm } from './live-form'
import type { Subject } from './reads'
import { PeriodOptions } from './rule-sentence'

interface RuleFormProps {
  /** The page of the form: its address gets the fields, and the page then says what the rule is. */
  path: string
  draft: Draft
  subjects: Subject[]
  /** Actions that were asked for, to choose from. */
  actions: string[]
  /** What the choice of an end that stays says. Undefined: the rule is new. */
  sameEnd?: string
  /** The steps that were chosen before. */
  steps?: string
}

/** Rows that are always there for further details. */
const spareRows = 2

/** The fields of a rule. A plain form, so that it works without scripts. With scripts, the sentence follows each change. */
export function RuleForm({ path, draft, subjects, actions, sameEnd, steps = '' }: RuleFormProps) {
  const rows: Row[] = [
    ...draft.rows,
    ...Array.from({ length: spareRows }, (): Row => ({ name: '', kind: 'equals', text: '' })),
  ]
  return (
    <LiveForm path={path} label={m.rules_back_to_rule()} className="grid gap-7">
      <input type="hidden" name="draft" value="1" />
      {steps === '' ? null : <input type="hidden" name="steps" value={steps} />}
      <fieldset className="grid gap-4 sm:grid-cols-2">
        <legend className="mb-3 text-lg font-semibold">{m.rules_who_and_what()}</legend>
        <SelectField label={m.rules_agent()} name="who" defaultValue={draft.who}>
          {subjects.some(({ id }) => id === draft.who) ? null : (
            <option value={draft.who}>{draft.who === '' ? m.rules_choose() : draft.who}</option>
          )}
          {subjects.map(({ id, name }) => (
            <option key={id} value={id} translate="no">
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label={m.rules_answer()} name="answer" defaultValue={draft.answer}>
          <option value="approve">{m.rules_answer_approve()}</option>
          <option value="reject">{m.rules_answer_reject()}</option>
          <option value="ask">{m.rules_answer_ask()}</option>
        </SelectField>
        <div className="sm:col-span-2">
          <TextField
            label={m.rules_actions()}
            name="actions"
            hint={m.rules_actions_hint()}
            defaultValue={draft.actions}
            placeholder="pay:invoice"
            className="font-mono"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            list="rule-actions"
            maxLength={500}
          />
          <datalist id="rule-actions">
            {actions.map((action) => (
              <option key={action} value={action} />
            ))}
          </datalist>
        </div>
      </fieldset>
      <fieldset className="grid gap-3">
        <legend className="mb-1 text-lg font-semibold">{m.rules_details()}</legend>
        <p className="mb-1 max-w-prose text-sm text-soft">{m.rules_details_hint()}</p>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the number is a part of the names of the fields
          <DetailRow key={at} row={row} at={at} />
        ))}
      </fieldset>
      <BudgetFields draft={draft} sameEnd={sameEnd} />
      <div>
        <Button type="submit">{m.rules_show_rehearsal()}</Button>
      </div>
    </LiveForm>
  )
}

const kindLabels: Record<ConstraintKind, () => string> = {
  equals: m.rules_kind_equals,
  one_of: m.rules_kind_one_of,
  at_most: m.rules_kind_at_most,
  at_least: m.rules_kind_at_least,
  between: m.rules_kind_between,
  domain: m.rules_kind_domain,
  path_below: m.rules_kind_path_below,
  any: m.rules_kind_any,
  unchanged: m.rules_kind_unchanged,
}

const control = 'min-h-11 w-full rounded-control border border-edge bg-surface px-3 py-2 text-base'

function DetailRow({ row, at }: { row: Row; at: number }) {
  const number = at + 1
  return (
    <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
      <input
        name={`name${at}`}
        aria-label={m.rules_detail_name({ number })}
        placeholder={at === 0 ? 'amount' : undefined}
        defaultValue={row.name}
        maxLength={128}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className={`${control} font-mono`}
      />
      <select
        name={`kind${at}`}
        aria-label={m.rules_detail_kind({ number })}
        defaultValue={row.kind}
        className={control}
      >
        {constraintKinds.map((kind) => (
          <option key={kind} value={kind}>
            {kindLabels[kind]()}
          </option>
        ))}
      </select>
      <input
        name={`value${at}`}
        aria-label={m.rules_detail_value({ number })}
        placeholder={at === 0 ? '€50.00' : undefined}
        defaultValue={row.text}
        maxLength={4000}
        autoComplete="off"
        spellCheck={false}
        className={`${control} max-sm:col-span-2`}
      />
    </div>
  )
}

function BudgetFields({ draft, sameEnd }: Pick<RuleFormProps, 'draft' | 'sameEnd'>) {
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <legend className="mb-3 text-lg font-semibold">{m.rules_how_much()}</legend>
      <TextField
        label={m.rules_amount()}
        name="amount"
        optional
        placeholder="€100.00"
        defaultValue={draft.amount}
        maxLength={64}
      />
      <TextField
        label={m.rules_uses_each()}
        name="uses_each"
        optional
        inputMode="numeric"
        defaultValue={draft.usesEach}
        maxLength={6}
      />
      <SelectField label={m.rules_per()} name="per" defaultValue={draft.per}>
        <option value="">{m.rules_in_all()}</option>
        <PeriodOptions />
      </SelectField>
      <TextField
        label={m.rules_uses()}
        name="uses"
        optional
        inputMode="numeric"
        defaultValue={draft.uses}
        maxLength={6}
      />
      <SelectField label={m.rules_ends_after()} name="days" defaultValue={draft.days}>
        {sameEnd === undefined ? null : <option value={keepDays}>{sameEnd}</option>}
        {[7, 30, 90, 365].map((count) => (
          <option key={count} value={count}>
            {m.common_count_days({ count })}
          </option>
        ))}
      </SelectField>
      <SelectField label={m.rules_mode()} name="mode" defaultValue={draft.isWatching ? 'watch' : 'on'}>
        <option value="on">{m.rules_mode_on()}</option>
        <option value="watch">{m.rules_mode_watch()}</option>
      </SelectField>
    </fieldset>
  )
}
