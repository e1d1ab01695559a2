'use client'

import type { RefObject } from 'react'
import { PasskeySubmit } from '@/components/passkey-submit'
import { buttonClass } from '@/components/ui/button-class'
import { ActionForm } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { approvePeck } from './actions'
import { BarButton } from './bar-button'
import type { DecisionFormProps } from './decision'
import { HoldButton } from './hold-button'
import { ReportOutcome } from './report-outcome'
import { openSecondStep } from './two-steps'

interface ApproveFormProps extends DecisionFormProps {
  formId: string
  twoSteps: RefObject<HTMLDetailsElement | null>
}

/** The primary way to approve. With a passkey, the passkey. Without one, a high risk has to be held. */
export function ApproveForm({ formId, twoSteps, ...request }: ApproveFormProps) {
  const { peckId, subject, onDecided } = request
  if (request.passkey === 'missing')
    return (
      <Link
        href="/security#add-passkey"
        className={buttonClass('primary', 'min-h-12 px-2!')}
        data-decision="approve"
      >
        Add a passkey
      </Link>
    )
  return (
    <ActionForm id={formId} action={approvePeck} label={`Approve: ${subject}`} className="contents!">
      <input type="hidden" name="peck_id" value={peckId} />
      <PrimaryButton {...request} onPress={() => openSecondStep(twoSteps.current)} />
      <ReportOutcome onDecided={onDecided} />
    </ActionForm>
  )
}

function PrimaryButton({
  peckId,
  passkey,
  isHighRisk,
  icons,
  onPress,
}: DecisionFormProps & { onPress: () => void }) {
  if (passkey !== 'none')
    return (
      <PasskeySubmit
        challenge={{ purpose: 'approve', peck_id: peckId, statement_version: 2 }}
        isCell
        data-decision="approve"
      >
        {icons.passkey} Approve with passkey
      </PasskeySubmit>
    )
  if (isHighRisk) return <HoldButton onPress={onPress}>{icons.approve} Hold to approve</HoldButton>
  return (
    <BarButton kind="primary" pending="Approving …" decision="approve">
      {icons.approve} Approve
    </BarButton>
  )
}
