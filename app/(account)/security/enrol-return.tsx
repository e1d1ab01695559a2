'use client'

import type { ReactNode } from 'react'
import { ApproverReturn } from '@/app/_passkeys/approver-return'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Notice } from '@/components/ui/surface'
import { finishApprover } from './approver-actions'

/** Stores the passkey that the approver made. */
export function EnrolReturn({ viewer, children }: { viewer: string; children: ReactNode }) {
  return (
    <ApproverReturn
      viewer={viewer}
      form={({ covers = 'high', credential = '' }) => (
        <ActionForm
          action={finishApprover}
          label="Set the approver"
          keepsDraft={false}
          after={(state) => (
            <div className="grid justify-items-start gap-4">
              <Notice title="Your approver is set">{state.message}</Notice>
              {children}
            </div>
          )}
        >
          <input type="hidden" name="covers" value={covers} />
          <input type="hidden" name="credential" value={credential} />
          <SubmitButton>Set the approver</SubmitButton>
        </ActionForm>
      )}
    >
      {children}
    </ApproverReturn>
  )
}
