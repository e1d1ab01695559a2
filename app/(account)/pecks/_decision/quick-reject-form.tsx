'use client'

import type { RefObject } from 'react'
import { ActionForm } from '@/components/ui/form'
import { rejectPeck } from './actions'
import { BarButton } from './bar-button'
import type { DecisionFormProps } from './decision-props'
import { defaultReason } from './default-reason'
import { ReportOutcome } from './report-outcome'

interface QuickRejectFormProps extends DecisionFormProps {
  button: RefObject<HTMLButtonElement | null>
}

/** Rejects with one click. For ten seconds the rejection can be undone. */
export function QuickRejectForm({ peckId, subject, icons, button, onDecided }: QuickRejectFormProps) {
  return (
    <ActionForm action={rejectPeck} label={`Reject: ${subject}`} className="contents!">
      <input type="hidden" name="peck_id" value={peckId} />
      <input type="hidden" name="quick" value={defaultReason} />
      <BarButton kind="plain" pending="Rejecting …" button={button}>
        {icons.reject} Reject
      </BarButton>
      <ReportOutcome onDecided={onDecided} />
    </ActionForm>
  )
}
