'use client'

import { type RefCallback, useContext, useId, useRef, useState } from 'react'
import { Sentence } from '@/components/sentence'
import { Answer } from '@/components/ui/answer'
import { buttonClass } from '@/components/ui/button-class'
import { CodeField } from '@/components/ui/code-field'
import { idleForm } from '@/components/ui/form-state'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { inZone } from '@/lib/kernel/text/time-words'
import { ApproveForm, Options } from './approve-form'
import type { BarValues } from './bar-values'
import { DecisionPause, ListUndo, useDecisionButtons } from './decision-buttons'
import type { DecisionFormProps, DecisionProps } from './decision-props'
import { LaterForm } from './later-form'
import { OutcomeMessage } from './outcome-message'
import { useOutcome } from './outcome-scope'
import { QuickRejectForm, RejectElsewhere, RejectForm, UnclearForm } from './reject-form'
import { RiskShape, riskWord } from './risk-mark'

/** Whether a text is a whole code: six digits. */
export const isWholeCode = (digits: string): boolean => /^\d{6}$/.test(digits)

/** Returns what to do when the code is missing, or has too few digits. */
export function missingDigits(digits: string): string {
  if (digits === '') return m.decision_service_code_missing()
  return m.decision_service_code_length_error({ count: digits.length })
}

type TypedCode = ReturnType<typeof useServiceCode>

/** The code that the person types. It is read only when the approval is pressed. */
function useServiceCode() {
  const field = useRef<HTMLInputElement>(null)
  const [error, setError] = useState('')
  return {
    field,
    error,
    /** Returns the six digits. Without them, says what is missing, moves the focus to the field and returns null. */
    read(): string | null {
      const digits = field.current?.value ?? ''
      if (isWholeCode(digits)) return digits
      setError(missingDigits(digits))
      field.current?.focus()
      return null
    },
    onDigits(digits: string) {
      if (isWholeCode(digits)) setError('')
    },
  }
}

interface ServiceCodeFieldProps {
  /** The host name of the service that shows the code. */
  shownBy: string | null
  typed: TypedCode
  field: RefCallback<HTMLInputElement>
  onEnter: () => void
}

/**
 * The field for the six digits of the service that will act. It belongs to no form: the digits go to the passkey, which signs them, and not
 * into the form of the approval.
 */
function ServiceCodeField({ shownBy, typed, field, onEnter }: ServiceCodeFieldProps) {
  const { error, onDigits } = typed
  return (
    <div className="max-w-prose">
      <Answer value={{ ...idleForm, errors: error === '' ? {} : { service_code: error } }}>
        <CodeField
          label={
            shownBy === null ? (
              m.decision_service_code_label()
            ) : (
              <Sentence of={m.decision_code_that_host_shows} with={{ host: shownBy }} />
            )
          }
          name="service_code"
          hint={m.decision_service_code_help()}
          autoComplete="off"
          onDigits={onDigits}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            onEnter()
          }}
          ref={(element) => {
            typed.field.current = element
            field(element)
          }}
        />
      </Answer>
      {/* The focus may already be in the field, which then reads no new description. */}
      <p role="alert" className="visually-hidden">
        {error}
      </p>
    </div>
  )
}

/**
 * The forms to answer a request. Reject, Later and the primary way to approve are in a bar that stays in reach of the thumb. After the decision,
 * the outcome replaces them.
 */
export function Decision({ isOnItsPage = false, ...decision }: DecisionProps) {
  const formId = useId()
  const twoSteps = useRef<HTMLDetailsElement>(null)
  const { outcome, setOutcome } = useOutcome()
  const request = { ...decision, onDecided: setOutcome }
  const { passkey, snooze } = request
  const isMissing = passkey === 'missing' && request.approver === null
  const code = isMissing ? null : request.code
  const typed = useServiceCode()
  // A high risk is held or confirmed, a missing passkey is added on another page, and a code is typed first.
  const buttons = useDecisionButtons(
    request.isHighRisk || isMissing || request.approver !== null || code !== null,
  )
  const approveButton = useRef<HTMLElement>(null)
  const undoPlace = useContext(ListUndo)
  if (outcome !== null)
    return (
      <div className={outcome.isOwn ? `${bar} flex` : 'border-t border-line pt-4'}>
        <OutcomeMessage
          outcome={outcome}
          peckId={request.peckId}
          subject={request.subject}
          isOnItsPage={isOnItsPage}
          onChanged={setOutcome}
        />
      </div>
    )
  return (
    <>
      <div className="grid gap-3">
        {snooze.until === null ? null : (
          <p className="text-sm text-soft">
            {m.decision_snoozed_note({ until: inZone(snooze.until, snooze.zone) })}
          </p>
        )}
        <DecisionNote {...request} hasCode={code !== null} />
        {code === null ? null : (
          <ServiceCodeField
            shownBy={code.shownBy}
            typed={typed}
            field={(element) => {
              // The shortcut of Approve leads to the field.
              buttons.approve.current = element
            }}
            onEnter={() => approveButton.current?.click()}
          />
        )}
        <div className="group/answers flex flex-wrap items-start gap-x-6 gap-y-2">
          {request.isUnclear ? <UnclearForm {...request} /> : null}
          {request.rulePath === null ? null : (
            <Link href={request.rulePath} data-make-rule className={buttonClass('quiet', 'font-normal!')}>
              {m.rules_offer_link()}
            </Link>
          )}
          <Options {...request} formId={formId} twoSteps={twoSteps} />
          {request.approver === null ? null : (
            // The open form has a button of its own, with its reason.
            <div className="grid gap-2 group-has-[details[open]]/answers:hidden">
              <RejectElsewhere {...request} approver={request.approver} kind="quiet" />
            </div>
          )}
          <RejectForm {...request} />
        </div>
      </div>
      {/* The message of a form takes a row of its own below the buttons. */}
      <div
        data-decision-bar
        className={`${bar} grid gap-x-2 gap-y-2 sm:gap-x-3 max-sm:[:is(&_button,&_summary)>svg]:hidden [&_form>:last-child]:order-last [&_form>:last-child]:col-span-full ${request.isHighRisk ? highColumns : columns}`}
      >
        <div ref={undoPlace} data-undo-place="bar" className="col-span-full -order-3 lg:hidden" />
        {request.isHighRisk ? <BarMark {...request.asker} /> : null}
        {request.barValues === null ? null : <BarAmount {...request.barValues} />}
        <DecisionPause />
        <QuickRejectForm {...request} button={buttons.reject} />
        <LaterForm {...request} button={buttons.later} isOnItsPage={isOnItsPage} />
        {/* On a phone the approval of a high risk is farther from the thumb than the safe answers, which also come first for the keyboard. */}
        <div
          className={request.isHighRisk ? 'grid gap-y-2 max-sm:-order-1 max-sm:col-span-full' : 'contents'}
        >
          <ApproveForm
            {...request}
            button={code === null ? buttons.approve : approveButton}
            readCode={code === null ? null : typed.read}
            formId={formId}
            twoSteps={twoSteps}
          />
        </div>
      </div>
    </>
  )
}

/** What signs the approval. */
function DecisionNote({ passkey, approver, hasCode }: DecisionFormProps & { hasCode: boolean }) {
  if (approver === null && (passkey === 'none' || passkey === 'offered')) return null
  const note =
    approver !== null
      ? m.decision_approver_signs()
      : hasCode
        ? m.decision_sign_with_code_note()
        : passkeyNotes[passkey]
  return <p className="max-w-prose text-sm text-soft">{note}</p>
}

/** The risk and the asker beside the buttons: what stands above the request may push both out of view. */
function BarMark({ name, who }: DecisionProps['asker']) {
  return (
    <p
      data-bar-risk
      className="col-span-full flex flex-wrap items-center gap-x-2 text-sm font-semibold text-bad max-sm:-order-2"
    >
      <RiskShape level="high" />
      {riskWord('high')}
      <span className="min-w-0 font-normal text-ink wrap-anywhere">
        <bdi translate="no">{name}</bdi>, <bdi translate="no">{who}</bdi>
      </span>
    </p>
  )
}

/** The amount beside the buttons of a phone, whose window may be too low for the list of values: nobody pays without having read it. */
function BarAmount({ amount, recipient, isMarked }: BarValues) {
  return (
    <p
      data-bar-values
      className="exact-digits col-span-full text-sm leading-6 wrap-anywhere max-sm:-order-2 sm:hidden"
    >
      {isMarked ? (
        m.decision_bar_marked_value()
      ) : (
        <Sentence
          of={
            amount === null
              ? m.decision_bar_to
              : recipient === null
                ? m.decision_bar_amount
                : m.decision_bar_amount_to
          }
          with={{ sum: amount ?? '', recipient: recipient ?? '' }}
          parts={{ amount: (children) => <strong>{children}</strong> }}
        />
      )}
    </p>
  )
}

/**
 * Sticks to the end of the window, above the bar with the rooms, while a part of the request is in view. Also the outcome, so that nothing scrolls. In a low window, such as
 * a phone held sideways or a zoomed page, it would cover the request, so it stays at the end there.
 */
const bar =
  '[@media(max-height:500px)]:relative [@media(max-height:500px)]:bottom-0 sticky bottom-(--bar-height) z-10 -mx-5 -mb-5 rounded-b-card border-t border-line bg-surface px-3 pt-3 pb-[max(0.75rem,calc(env(safe-area-inset-bottom)-var(--bar-height)))] sm:-mx-7 sm:-mb-7 sm:px-7'

/** Approve gets the rest of the row on a phone, and elsewhere no more than looks like one of three. A request that expires soon cannot be put off. */
const columns =
  'grid-cols-[auto_1fr] has-[>details]:grid-cols-[auto_auto_1fr] sm:grid-cols-[auto_minmax(0,18rem)] sm:has-[>details]:grid-cols-[auto_auto_minmax(0,18rem)]'
/** On a phone, the approval of a high risk has a row of its own. */
const highColumns = 'grid-cols-2 sm:grid-cols-[auto_1fr] sm:has-[>details]:grid-cols-[auto_auto_1fr]'

const passkeyNotes = {
  none: '',
  offered: '',
  get missing() {
    return m.decision_no_passkey_note()
  },
  get required() {
    return m.decision_passkey_required_note()
  },
  get optional() {
    return m.decision_passkey_signature_note()
  },
}
