'use client'

import type { RefObject } from 'react'
import { ActionForm } from '@/components/ui/form'
import { rejectPeck } from './actions'
import { BarButton } from './bar-button'
import type { DecisionFormProps } from './decision-props'
import { notNow } from './not-now'
import { ReportOutcome } from './report-outcome'

interface NotNowFormProps extends DecisionFormProps {
  button: RefObject<HTMLButtonElement | null>
}

/** Rejects with one click. */
export function NotNowForm({ peckId, subject, icons, button, onDecided }: NotNowFormProps) {
  return (
    <ActionForm action={rejectPeck} label={`Not now: ${subject}`} className="contents!">
      <input type="hidden" name="peck_id" value={peckId} />
      <input type="hidden" name="quick" value={notNow} />
      <BarButton kind="plain" pending="Rejecting …" button={button}>
        {icons.reject} Not now
      </BarButton>
      <ReportOutcome onDecided={onDecided} />
    </ActionForm>
  )
}
