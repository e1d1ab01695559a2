'use client'

import type { RefObject } from 'react'
import { ActionForm } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
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
