'use client'

import type { RefCallback, RefObject } from 'react'
import { PasskeySubmit } from '@/app/_passkeys/passkey-submit'
import { buttonClass } from '@/components/ui/button-class'
import { ActionForm } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { approvePeck } from './actions'
import { BarButton } from './bar-button'
import type { DecisionFormProps } from './decision-props'
import { HoldButton } from './hold-button'
import { ReportOutcome } from './report-outcome'
import { openSecondStep } from './two-steps'

interface ApproveFormProps extends DecisionFormProps {
  /** A link when a passkey is missing. */
  button: RefObject<HTMLElement | null>
  formId: string
  twoSteps: RefObject<HTMLDetailsElement | null>
}

/** The primary way to approve. With a passkey, the passkey. Without one, a high risk has to be held. */
export function ApproveForm({ button, formId, twoSteps, ...request }: ApproveFormProps) {
  const { peckId, subject, onDecided } = request
  if (request.passkey === 'missing')
    return (
      <Link
        href="/security#add-passkey"
        className={buttonClass('primary', 'min-h-12 px-2!')}
        ref={(link: HTMLAnchorElement | null) => {
          button.current = link
        }}
      >
        Add a passkey
      </Link>
    )
  return (
    <ActionForm id={formId} action={approvePeck} label={`Approve: ${subject}`} className="contents!">
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

function PrimaryButton({
  peckId,
  passkey,
  isHighRisk,
  icons,
  button,
  onPress,
}: DecisionFormProps & { button: RefCallback<HTMLButtonElement>; onPress: () => void }) {
  if (passkey !== 'none')
    return (
      <PasskeySubmit
        challenge={{ purpose: 'approve', peck_id: peckId, statement_version: 2 }}
        isCell
        button={button}
      >
        {icons.passkey} Approve with passkey
      </PasskeySubmit>
    )
  if (isHighRisk)
    return (
      <HoldButton button={button} onPress={onPress}>
        {icons.approve} Hold to approve
      </HoldButton>
    )
  return (
    <BarButton kind="primary" pending="Approving …" button={button}>
      {icons.approve} Approve
    </BarButton>
  )
}
