'use client'

import type { RefCallback, RefObject } from 'react'
import { PasskeySubmit } from '@/app/_passkeys/passkey-submit'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button-class'
import { ActionForm } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import type { ApproveWords } from '../_peck/request-words'
import { approvePeck } from './actions'
import { ApproverButton } from './approver-button'
import { BarButton, HoldButton } from './decision-buttons'
import type { DecisionFormProps } from './decision-props'
import { ReportOutcome } from './outcome-scope'

interface ApproveLabelProps {
  words: ApproveWords
  /** What the person does: "Hold to delete the database", "Yes, delete the database". */
  gesture?: 'hold' | 'yes'
  /** The button asks for the passkey. The icon says so to the eyes. */
  isSigned?: boolean
}

/** What happens when a high risk is approved: "Delete the database “customers-production”". The value stays in a frame of its own. */
function ApproveLabel({ words, gesture, isSigned = false }: ApproveLabelProps) {
  return (
    <span className="exact-digits min-w-0 wrap-anywhere">
      {gesture === undefined ? (
        <Action {...words} before={words.before.charAt(0).toUpperCase() + words.before.slice(1)} />
      ) : (
        <Sentence of={gestures[gesture]} parts={{ action: () => <Action {...words} /> }} />
      )}
      {isSigned ? <span className="visually-hidden"> {m.decision_with_passkey()}</span> : null}
    </span>
  )
}

const gestures = { hold: m.decision_hold_to_action, yes: m.decision_yes_action }

function Action({ before, value, after }: ApproveWords) {
  if (value === null) return before
  return (
    <>
      {before === '' ? null : `${before} `}
      <bdi translate="no">{value}</bdi>
      {after === '' ? null : ` ${after}`}
    </>
  )
}

interface TwoStepsProps {
  formId: string
  /** The action in words: "transfer money". */
  subject: string
  approveWords: ApproveWords
  details: RefObject<HTMLDetailsElement | null>
}

/**
 * Approves a high risk without holding a button: for people who cannot hold one, and for browsers without scripts. The second button is not
 * where the first was, so that a double click does not approve.
 */
function TwoSteps({ formId, subject, approveWords, details }: TwoStepsProps) {
  return (
    <details ref={details} className="open:basis-full">
      <summary className="inline-flex min-h-11 list-none items-center text-sm underline decoration-line hover:decoration-ink [&::-webkit-details-marker]:hidden">
        {m.decision_approve_in_two_steps()}
      </summary>
      <div className="mt-2 grid justify-items-start gap-3 rounded-control bg-bad-wash p-4 text-sm">
        <p>
          <Sentence
            of={m.decision_high_risk_warning}
            with={{ action: subject }}
            parts={{ strong: (children) => <strong>{children}</strong> }}
          />
        </p>
        <button type="submit" form={formId} className={buttonClass('danger')}>
          <ApproveLabel words={approveWords} gesture="yes" />
        </button>
      </div>
    </details>
  )
}

/** Opens the second step, and moves the focus to its button. */
function openSecondStep(details: HTMLDetailsElement | null): void {
  if (details === null) return
  details.open = true
  details.querySelector('button')?.focus()
}

interface ApproveFormProps extends DecisionFormProps {
  /** A link when a passkey is missing. */
  button: RefObject<HTMLElement | null>
  /** Returns the code that the person typed, or null when it is not complete. Null: the request has no code. */
  readCode: (() => string | null) | null
  formId: string
  twoSteps: RefObject<HTMLDetailsElement | null>
}

/**
 * The main way to approve. With a passkey, the passkey, unless the risk is low. Without one, a high risk has to be held. The button of a high risk says what happens,
 * and has another colour than every next step.
 */
export function ApproveForm({ button, formId, twoSteps, ...request }: ApproveFormProps) {
  const { peckId, subject, onDecided } = request
  if (request.approver !== null)
    return (
      <ApproverButton
        {...request}
        approver={request.approver}
        button={(element) => {
          button.current = element
        }}
        formId={formId}
      />
    )
  if (request.passkey === 'missing')
    return (
      <Link
        href="/security#add-passkey"
        className={buttonClass(request.isHighRisk ? 'plain' : 'primary', 'min-h-12 px-2!')}
        ref={(link: HTMLAnchorElement | null) => {
          button.current = link
        }}
      >
        {m.decision_add_a_passkey()}
      </Link>
    )
  return (
    <ActionForm
      id={formId}
      action={approvePeck}
      label={m.decision_approve_subject({ subject })}
      className="contents!"
    >
      <input type="hidden" name="peck_id" value={peckId} />
      <PrimaryButton
        {...request}
        button={(element) => {
          button.current = element
        }}
        onPress={() => openSecondStep(twoSteps.current)}
      />
      <ReportOutcome onDecided={onDecided} />
    </ActionForm>
  )
}

type PrimaryButtonProps = DecisionFormProps &
  Pick<ApproveFormProps, 'readCode'> & { button: RefCallback<HTMLButtonElement>; onPress: () => void }

function PrimaryButton({
  peckId,
  passkey,
  readCode,
  isHighRisk,
  approveWords,
  icons,
  button,
  onPress,
}: PrimaryButtonProps) {
  if (passkey !== 'none' && passkey !== 'offered')
    return (
      <PasskeySubmit
        challenge={() => {
          const request = { purpose: 'approve', peck_id: peckId } as const
          if (readCode === null) return request
          const code = readCode()
          return code === null ? null : { ...request, code }
        }}
        isCell
        button={button}
        kind={isHighRisk ? 'danger' : 'primary'}
      >
        {/* A narrow bar hides the icons of its buttons. This one alone says that the passkey signs. */}
        {isHighRisk ? <span className="shrink-0">{icons.passkey}</span> : icons.passkey}{' '}
        {isHighRisk ? <ApproveLabel words={approveWords} isSigned /> : m.decision_approve_with_passkey()}
      </PasskeySubmit>
    )
  if (isHighRisk)
    return (
      <HoldButton button={button} onPress={onPress}>
        <ApproveLabel words={approveWords} gesture="hold" />
      </HoldButton>
    )
  return (
    <BarButton kind="primary" pending={m.decision_approving()} button={button}>
      {icons.approve} {m.decision_approve()}
    </BarButton>
  )
}

interface OptionsProps
  extends Pick<
    DecisionFormProps,
    'peckId' | 'lifetimes' | 'passkey' | 'approver' | 'isHighRisk' | 'subject' | 'approveWords' | 'icons'
  > {
  /** The form of the approval. */
  formId: string
  twoSteps: RefObject<HTMLDetailsElement | null>
}

/** How to approve in another way: for a shorter time, with or without the passkey, in two steps. */
export function Options({ formId, lifetimes, twoSteps, ...request }: OptionsProps) {
  const { peckId, passkey, approver, isHighRisk, subject, approveWords, icons } = request
  if (passkey === 'missing' && approver === null) return null
  return (
    <>
      {lifetimes.length > 1 ? <LifetimeSelect formId={formId} lifetimes={lifetimes} /> : null}
      {isHighRisk && passkey === 'none' && approver === null ? (
        <TwoSteps formId={formId} subject={subject} approveWords={approveWords} details={twoSteps} />
      ) : null}
      {passkey === 'offered' && approver === null ? (
        <PasskeySubmit challenge={{ purpose: 'approve', peck_id: peckId }} form={formId} kind="quiet">
          {icons.passkey} {m.decision_approve_with_passkey()}
        </PasskeySubmit>
      ) : null}
      {!isHighRisk && passkey === 'optional' && approver === null ? (
        <button type="submit" form={formId} className={buttonClass('quiet', 'font-normal!')}>
          {m.decision_approve_without_passkey()}
        </button>
      ) : null}
    </>
  )
}

function LifetimeSelect({ formId, lifetimes }: Pick<OptionsProps, 'formId' | 'lifetimes'>) {
  return (
    <label className="flex flex-wrap items-center gap-x-3 text-sm">
      <span className="text-soft">{m.decision_valid_for()}</span>
      <select
        name="grant_expires_in"
        form={formId}
        className="min-h-11 max-w-full rounded-control border border-edge bg-surface px-3 py-2"
      >
        {lifetimes.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}
