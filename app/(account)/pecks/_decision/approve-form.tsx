'use client'

import type { RefCallback, RefObject } from 'react'
import { PasskeySubmit } from '@/app/_passkeys/passkey-submit'
import { buttonClass } from '@/components/ui/button-class'
import { ActionForm } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { approvePeck } from './actions'
import { ApproveLabel } from './approve-label'
import { ApproverButton } from './approver-button'
import { BarButton } from './bar-button'
import type { DecisionFormProps } from './decision-props'
import { HoldButton } from './hold-button'
import { ReportOutcome } from './report-outcome'
import { openSecondStep } from './two-steps'

interface ApproveFormProps extends DecisionFormProps {
  /** A link when a passkey is missing. */
  button: RefObject<HTMLElement | null>
  /** Returns the code that the person typed, or null when it is not complete. Null: the request has no code. */
  readCode: (() => string | null) | null
  formId: string
  twoSteps: RefObject<HTMLDetailsElement | null>
}

/**
 * The main way to approve. With a passkey, the passkey. Without one, a high risk has to be held. The button of a high risk says what happens,
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
  if (passkey !== 'none')
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
        {icons.passkey}{' '}
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
