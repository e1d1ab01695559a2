'use client'

import { ActionForm } from '@/components/ui/form'
import { rejectPeck } from './actions'
import { BarButton } from './bar-button'
import type { DecisionFormProps } from './decision'
import { notNow } from './not-now'
import { ReportOutcome } from './report-outcome'

/** Rejects with one click. */
export function NotNowForm({ peckId, subject, icons, onDecided }: DecisionFormProps) {
  return (
    <ActionForm action={rejectPeck} label={`Not now: ${subject}`} className="contents!">
      <input type="hidden" name="peck_id" value={peckId} />
      <input type="hidden" name="quick" value={notNow} />
      <BarButton kind="plain" pending="Rejecting …" decision="not-now">
        {icons.reject} Not now
      </BarButton>
      <ReportOutcome onDecided={onDecided} />
    </ActionForm>
  )
}
