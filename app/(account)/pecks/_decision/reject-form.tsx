'use client'

import type { RefObject } from 'react'
import { Sentence } from '@/components/sentence'
import { type ButtonKind, buttonClass } from '@/components/ui/button-class'
import {
  ActionForm,
  CheckField,
  SelectField,
  SubmitButton,
  TextArea,
  TextField,
  useAnswer,
} from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { rejectionFault, rejectPeck } from './actions'
import { approverHost, useDeparture } from './approver-button'
import { BarButton } from './decision-buttons'
import type { DecisionFormProps } from './decision-props'
import { defaultReason } from './outcome'
import { ReportOutcome } from './outcome-scope'
import { rejectionFields } from './rejection-terms'

const readReasons = () =>
  [m.decision_did_not_ask(), m.decision_do_not_know_you()].map((value) => ({ value, label: value }))

/** After these, the requester may ask again at once. */
const open = [
  {
    value: 'unclear',
    get label() {
      return m.decision_reject_unclear_reason()
    },
  },
  {
    value: 'less',
    get label() {
      return m.decision_reject_less_reason()
    },
  },
]

type QuickReasonsProps = Pick<DecisionFormProps, 'currency' | 'hasManyUses' | 'lifetimes'>

/** Ready-made reasons for a rejection. The last opens the fields for what the person would approve. */
function QuickReasons(request: QuickReasonsProps) {
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

interface RejectElsewhereProps extends Pick<DecisionFormProps, 'peckId' | 'subject'> {
  approver: NonNullable<DecisionFormProps['approver']>
  kind: ButtonKind
}

/**
 * Leaves for the approver to sign a rejection. In a form, with the reason of that form. The reason is not signed: it stays in this tab until the
 * approver leads back.
 */
export function RejectElsewhere({ approver, kind, peckId, subject }: RejectElsewhereProps) {
  const label = m.decision_reject_on_approver({ approver: approverHost(approver) })
  const { props, fault } = useDeparture(async (button) => {
    const fields = fieldsIn(button.form)
    // The service checks the reason only after the way back, when nobody can change it.
    const wrong = await rejectionFault(fields)
    if (wrong !== null) return wrong
    const { decideElsewhere } = await import('@/app/_passkeys/decide-elsewhere')
    return decideElsewhere({ approver, request: { purpose: 'reject', peck_id: peckId }, fields })
  })
  return (
    <>
      <button
        {...props}
        aria-label={`${label}: ${subject}`}
        className={buttonClass(
          kind,
          `aria-disabled:opacity-60 ${kind === 'quiet' ? '-ms-1 justify-start text-start font-normal!' : ''}`,
        )}
      >
        {label}
      </button>
      {fault}
    </>
  )
}

/** Returns the fields of a rejection. Without a form, the reason of a rejection with one click. */
function fieldsIn(form: HTMLFormElement | null): Record<string, string> {
  if (form === null) return { quick: defaultReason }
  const data = new FormData(form)
  return Object.fromEntries(rejectionFields.map((name) => [name, String(data.get(name) ?? '')]))
}

export function RejectForm({ peckId, subject, blockableName, onDecided, ...request }: DecisionFormProps) {
  return (
    <details className="open:basis-full">
      <summary className="inline-flex min-h-11 list-none items-center text-sm underline decoration-line hover:decoration-ink [&::-webkit-details-marker]:hidden">
        {m.decision_reject_with_a_reason()}
      </summary>
      <ActionForm
        action={rejectPeck}
        label={m.decision_reject_with_a_reason_subject({ subject })}
        className="mt-4 max-w-xl border-s-2 border-line ps-5"
      >
        <input type="hidden" name="peck_id" value={peckId} />
        <QuickReasons {...request} />
        <TextArea
          label={m.decision_your_own_reason()}
          name="reason"
          optional
          maxLength={280}
          rows={2}
          hint={m.decision_requester_sees_reason_unless_something_is()}
        />
        {blockableName === null ? null : (
          <CheckField
            label={<Sentence of={m.decision_also_block_blockablename} with={{ blockableName }} />}
            name="block"
            hint={m.decision_block_done()}
          />
        )}
        <div className="flex flex-wrap gap-3">
          <SubmitButton kind="danger" pending={m.decision_rejecting()}>
            {m.decision_reject_request()}
          </SubmitButton>
          {request.approver === null ? null : (
            <RejectElsewhere peckId={peckId} subject={subject} approver={request.approver} kind="plain" />
          )}
        </div>
        <ReportOutcome onDecided={onDecided} />
      </ActionForm>
    </details>
  )
}

interface QuickRejectFormProps extends DecisionFormProps {
  button: RefObject<HTMLButtonElement | null>
}

/** Rejects with one click. For ten seconds the rejection can be undone. */
export function QuickRejectForm({ peckId, subject, icons, button, onDecided }: QuickRejectFormProps) {
  return (
    <ActionForm action={rejectPeck} label={m.decision_reject_subject({ subject })} className="contents!">
      <input type="hidden" name="peck_id" value={peckId} />
      <input type="hidden" name="quick" value={defaultReason} />
      <BarButton kind="plain" pending={m.decision_rejecting()} button={button}>
        {icons.reject} {m.decision_reject()}
      </BarButton>
      <ReportOutcome onDecided={onDecided} />
    </ActionForm>
  )
}

/** Rejects an amount that can be read in two ways, with a reason that tells the asker what to fix. */
export function UnclearForm({ peckId, subject, onDecided }: DecisionFormProps) {
  return (
    <ActionForm
      action={rejectPeck}
      label={m.decision_reject_unclear_amount_subject({ subject })}
      className="gap-2!"
    >
      <input type="hidden" name="peck_id" value={peckId} />
      <input type="hidden" name="quick" value="unclear" />
      <input type="hidden" name="reason" value={m.decision_unclear_amount_reason()} />
      <SubmitButton kind="plain" pending={m.decision_rejecting()}>
        {m.decision_reject_unclear_amount()}
      </SubmitButton>
      <ReportOutcome onDecided={onDecided} />
    </ActionForm>
  )
}
