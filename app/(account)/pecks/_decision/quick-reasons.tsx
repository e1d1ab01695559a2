'use client'

import { CheckField, SelectField, TextField, useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import type { DecisionFormProps } from './decision-props'

const readReasons = () =>
  [m.decision_did_not_ask(), m.decision_do_not_know_you()].map((value) => ({ value, label: value }))

/** After these, the requester may ask again at once. */
const open = [
  {
    value: 'unclear',
    get label() {
      return m.decision_something_is_unclear_they_may_explain()
    },
  },
  {
    value: 'less',
    get label() {
      return m.decision_i_would_approve_less_they_may()
    },
  },
]

type QuickReasonsProps = Pick<DecisionFormProps, 'currency' | 'hasManyUses' | 'lifetimes'>

/** Ready-made reasons for a rejection. The last opens the fields for what the person would approve. */
export function QuickReasons(request: QuickReasonsProps) {
  const { values, errors } = useAnswer()
  const canBeLess = request.currency !== null || request.hasManyUses || request.lifetimes.length > 1
  const choices = [...readReasons(), ...open.filter(({ value }) => value !== 'less' || canBeLess)]
  return (
    <fieldset className="group/reasons grid gap-1">
      <legend className="mb-1 text-sm font-semibold">{m.decision_reason()}</legend>
      {choices.map(({ value, label }) => (
        <label key={value} className="flex min-h-9 items-center gap-3 text-sm">
          <input
            type="radio"
            name="quick"
            value={value}
            defaultChecked={values.quick === value}
            className="size-5 shrink-0 accent-accent"
          />
          {label}
        </label>
      ))}
      <div className="mt-2 hidden gap-4 ps-8 group-has-[input[value=less]:checked]/reasons:grid">
        <Less {...request} />
        {/* Without an amount, its field is missing, and the error would be nowhere. */}
        {request.currency === null && errors.less_amount !== undefined ? (
          <p role="alert" className="text-sm text-bad">
            {errors.less_amount}
          </p>
        ) : null}
      </div>
    </fieldset>
  )
}

function Less({ currency, hasManyUses, lifetimes }: QuickReasonsProps) {
  return (
    <>
      {currency === null ? null : (
        <>
          <input type="hidden" name="less_currency" value={currency} />
          <TextField
            label={m.decision_at_most_currency({ currency })}
            name="less_amount"
            optional
            inputMode="decimal"
          />
        </>
      )}
      {lifetimes.length > 1 ? (
        <SelectField label={m.decision_for_at_most()} name="less_seconds">
          <option value="">{m.decision_the_time_that_was_asked_for()}</option>
          {lifetimes.slice(1).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      ) : null}
      {hasManyUses ? <CheckField label={m.decision_only_one_use()} name="less_once" /> : null}
    </>
  )
}
